import { type Signal, useSignal } from '@preact/signals'
import type { List } from '../../client/src/index.ts'
import type { Failure } from '../api/calls.ts'
import { notice } from '../frame/notice.tsx'
import { isolated } from '../language/isolated.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { mayForAll } from '../session/session.ts'
import { change } from '../students/query.ts'
import { actOn, lists, loadLists } from '../students/tools/lists.ts'
import type { Layout } from './layout.ts'
import { texts } from './texts.ts'

type Print = List['print']

/** What a list keeps of a layout: its own name is no title of its own. */
const printOf = ({ title, paper, rowsPerPage }: Layout, { name }: List): Print => ({
  title: title === '' || title === name ? null : title,
  orientation: paper,
  rows_per_page: rowsPerPage ?? null,
})

const isSame = (a: Print, b: Print) =>
  a.title === b.title && a.orientation === b.orientation && a.rows_per_page === b.rows_per_page

/** Keeps the layout with the named list that is printed, for everyone, where it is another than is kept. */
export function KeepLayout({ list, layout }: { list: List; layout: Layout }) {
  const failure: Signal<Failure | undefined> = useSignal(undefined)
  const print = printOf(layout, list)
  async function put(print: Print): Promise<boolean> {
    const now = lists.value?.find(({ id }) => id === list.id) ?? list
    failure.value = await actOn(now, { print })
    await loadLists()
    return failure.value === undefined
  }
  async function keep(): Promise<void> {
    const before = list.print
    if (!(await put(print))) return
    change({ title: undefined, paper: undefined, rows: undefined })
    const undo = async () => {
      if (await put(before)) notice.value = { text: () => t().student.undone }
    }
    notice.value = { text: () => texts().kept(isolated(list.name)), undo: () => void undo() }
  }
  if (!mayForAll('lists.manage')) return null
  return (
    <>
      {!isSame(print, list.print) && (
        <button type="button" onClick={() => void keep()}>
          {texts().keep(isolated(list.name))}
        </button>
      )}
      {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
    </>
  )
}
