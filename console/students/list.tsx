import { useEffect } from 'preact/hooks'
import type { Failure } from '../api/calls.ts'
import { address } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { faultText } from '../parts/fields.tsx'
import { Later } from '../parts/later.tsx'
import { Title } from '../parts/title.tsx'
import { loadOwnFields } from '../session/session.ts'
import { columnLabel, columnSentences, isOfColumns } from './columns.ts'
import { EmptyRegister } from './empty-register.tsx'
import { chipsOf } from './filter-words.ts'
import { Filters } from './filters.tsx'
import { type Found, failure, find, follow, found, isSearching } from './found.ts'
import { Pages } from './pages.tsx'
import { change, clearFilters, isFiltered, listQuery } from './query.ts'
import { Table } from './table.tsx'

/** Whether the register has nobody: then there is no list to keep. */
const isEmpty = ({ query, pagination }: Found) => pagination.total === 0 && !isFiltered(query)

/** Loaded when there is something to see: it does not hold the first students up. */
const namedLists = () => import('./tools/named-lists.tsx')

/** What is wrong with a filter is said by its name. */
function whatFailed(failure: Failure): string {
  const { errors = [] } = failure.is === 'problem' && !isOfColumns(failure) ? failure.problem : {}
  const faults = errors.map((fault) => {
    const name = fault.pointer.slice(1).replace(/\.(empty|from|to)$/, '')
    return `${columnLabel(name === 'guardian' ? 'guardians' : name) ?? name}: ${faultText(fault)}`
  })
  return [t().failed.load, ...faults].join(' ')
}

/** The search opens this list from any screen, and the reader types on in it. */
const isInSearch = () => document.activeElement?.matches('header.top search input') === true

/** The list of students: what the search, the filters and the order bring, page by page. */
export function StudentList() {
  useEffect(follow, [])
  const texts = t().students
  const { value } = found
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.students} leavesFocus={isInSearch()}>
          {texts.title}
        </Title>
        <p class="quiet number" role="status">
          {value && !failure.value && counted(value)}
        </p>
      </div>
      <div class="lists">{value && !isEmpty(value) && <Later load={namedLists} />}</div>
      <Filters />
      <div class={isSearching.value ? 'busy is-on' : 'busy'} aria-hidden="true" />
      {failure.value && (
        <Failed
          what={whatFailed(failure.value)}
          failure={failure.value}
          again={() => void loadOwnFields().then(find)}
          sentences={columnSentences(failure.value)}
        />
      )}
      {value && (value.pagination.total === 0 ? <Nothing /> : <Table found={value} />)}
      {value && value.pagination.total > 0 && <Pages pagination={value.pagination} />}
    </>
  )
}

/** How many there are; where it was a phone number that found them, nobody's name was sought. */
function counted({ pagination: { total }, isByGuardian, query }: Found): string {
  const { byGuardian, byPhone, count } = t().students
  if (!isByGuardian) return count(total)
  return /^[\p{N}\s+()./-]+$/u.test(query.search) ? byPhone(total) : byGuardian(total)
}

/** Nobody: the register is empty, or the filters let nobody through. They are said in words. */
function Nothing() {
  const texts = t().students
  const query = listQuery(address.value.query)
  const { search, classIds } = query
  const labels = chipsOf(query).map(({ label }) => label)
  if (!isFiltered(query)) return <EmptyRegister />
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
        <button type="button" onClick={clearFilters}>
          {texts.clear}
        </button>
      </div>
    </div>
  )
}
