import { useEffect } from 'preact/hooks'
import { address, newStudentPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Title } from '../parts/title.tsx'
import { classes, may } from '../session/session.ts'
import { Filters } from './filters.tsx'
import { failure, find, follow, found, isSearching } from './found.ts'
import { Pages } from './pages.tsx'
import { change, listQuery } from './query.ts'
import { Table } from './table.tsx'

/** The list of students: what the search, the filters and the order bring, page by page. */
export function StudentList() {
  useEffect(follow, [])
  const texts = t().students
  const { value } = found
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.students}>{texts.title}</Title>
        <p class="quiet number" role="status">
          {value && !failure.value && counted(value.pagination.total, value.isByGuardian)}
        </p>
      </div>
      <Filters />
      <div class={isSearching.value ? 'busy is-on' : 'busy'} aria-hidden="true" />
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={find} />}
      {value && (value.pagination.total === 0 ? <Nothing /> : <Table found={value} />)}
      {value && value.pagination.total > 0 && <Pages pagination={value.pagination} />}
    </>
  )
}

const counted = (total: number, isByGuardian: boolean) =>
  isByGuardian ? t().students.byGuardian(total) : t().students.count(total)

/** Nobody: the register is empty, or the filters let nobody through. They are said in words. */
function Nothing() {
  const texts = t().students
  const { search, classIds } = listQuery(address.value.query)
  const labels = classes.value.filter(({ id }) => classIds.includes(id)).map(({ label }) => label)
  if (search === '' && classIds.length === 0)
    return (
      <div class="nothing">
        <p>{texts.empty}</p>
        {may('students.create') && (
          <a class="button primary" href={newStudentPath}>
            {texts.addFirst}
          </a>
        )}
      </div>
    )
  return (
    <div class="nothing">
      <p>
        <strong>{texts.none}</strong>{' '}
        <bdi>{[search && texts.searched(search), ...labels].filter(Boolean).join(' · ')}</bdi>
      </p>
      <div class="actions">
        {classIds.length > 0 && (
          <button type="button" onClick={() => change({ class: undefined })}>
            {texts.everywhere}
          </button>
        )}
        <button type="button" onClick={() => change({ class: undefined, search: undefined })}>
          {texts.clear}
        </button>
      </div>
    </div>
  )
}
