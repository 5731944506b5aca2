import { listImportRows, listImports } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { isolated } from '../language/isolated.ts'
import { listed, textsOf } from '../language/language.ts'
import { numberIn } from '../language/plurals.ts'
import { nameOf } from './words.ts'

const texts = textsOf<{
  readonly changed: (count: number, names: string) => string
  readonly imports: (names: string) => string
}>({
  en: {
    changed: (count, names) =>
      `Since then, ${numberIn('en', count)} of these students ${count === 1 ? 'was' : 'were'} changed. What was changed stays: ${names}.`,
    imports: (names) => `Later imports changed some of the same students. What they changed stays: ${names}.`,
  },
  de: {
    changed: (count, names) =>
      `Seitdem ${count === 1 ? 'wurde eines' : `wurden ${numberIn('de', count)}`} dieser Kinder geändert. Was geändert wurde, bleibt: ${names}.`,
    imports: (names) =>
      `Spätere Importe haben einige derselben Kinder geändert. Was sie geändert haben, bleibt: ${names}.`,
  },
  ar: {
    changed: (count, names) =>
      `تغيّرت بعد ذلك بيانات بعض هؤلاء الطلاب (العدد: ${numberIn('ar', count)})، وما تغيّر يبقى: ${names}.`,
    imports: (names) => `غيّرت عمليات استيراد لاحقة بيانات بعض هؤلاء الطلاب، وما غيّرته يبقى: ${names}.`,
  },
})

/** How many are named. */
const most = 5

/** What to know before an import is taken back: what was changed since, and which later imports did; nothing where none. */
export async function beforeTakeBack(id: number): Promise<string[]> {
  return [...(await changedSince(id)), ...(await laterThan(id))]
}

async function changedSince(id: number): Promise<string[]> {
  const query = { changed_since: 'true', per_page: most } as const
  const came = await call(() => listImportRows({ path: { id }, query }))
  if (came.is === 'failed' || came.data.data.length === 0) return []
  const names = came.data.data.flatMap((row) => ('called' in row && row.called ? isolated(row.called) : []))
  return [texts().changed(came.data.pagination.total, named(names, came.data.pagination.total))]
}

async function laterThan(id: number): Promise<string[]> {
  const came = await call(() => listImports({ query: { later_than: id, per_page: most } }))
  if (came.is === 'failed' || came.data.data.length === 0) return []
  const names = came.data.data.map((one) => isolated(`${nameOf(one)} (${one.id})`))
  return [texts().imports(named(names, came.data.pagination.total))]
}

function named(names: readonly string[], total: number): string {
  return listed(names) + (total > names.length ? ' …' : '')
}
