import { type Import, listImportRows, listImports } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { isolated } from '../language/isolated.ts'
import { listed, textsOf } from '../language/language.ts'
import { numberIn, plural } from '../language/plurals.ts'
import { nameOf } from './words.ts'

const texts = textsOf<{
  readonly takeBackAsk: (created: number, changed: number) => string
  readonly changed: (count: number, names: string) => string
  readonly imports: (names: string) => string
}>({
  en: {
    takeBackAsk: (created, changed) =>
      `Take this import back? ${plural.en(created, { one: '# new one is removed', other: '# new ones are removed' })}, and ${plural.en(changed, { one: '# changed one is', other: '# changed ones are' })} as before again. What was changed since stays.`,
    changed: (count, names) =>
      `Since then, ${numberIn('en', count)} of these students ${count === 1 ? 'was' : 'were'} changed. What was changed stays: ${names}.`,
    imports: (names) => `Later imports changed some of the same students. What they changed stays: ${names}.`,
  },
  de: {
    takeBackAsk: (created, changed) =>
      `Diesen Import zurücknehmen? ${plural.de(created, { one: '# neuer Eintrag wird wieder entfernt', other: '# neue Einträge werden wieder entfernt' })}, und ${plural.de(changed, { one: '# geänderter bekommt', other: '# geänderte bekommen' })} die vorigen Werte zurück. Was seither geändert wurde, bleibt.`,
    changed: (count, names) =>
      `Seitdem ${count === 1 ? 'wurde eines' : `wurden ${numberIn('de', count)}`} dieser Kinder geändert. Was geändert wurde, bleibt: ${names}.`,
    imports: (names) =>
      `Spätere Importe haben einige derselben Kinder geändert. Was sie geändert haben, bleibt: ${names}.`,
  },
  ar: {
    takeBackAsk: (created, changed) =>
      `أتتراجع عن هذا الاستيراد؟ يُحذف من الجدد ${numberIn('ar', created)}، ويعود من المغيَّر ${numberIn('ar', changed)} كما كان. يبقى ما تغير بعده.`,
    changed: (count, names) =>
      `تغيّرت بعد ذلك بيانات بعض هؤلاء الطلاب (العدد: ${numberIn('ar', count)})، وما تغيّر يبقى: ${names}.`,
    imports: (names) => `غيّرت عمليات استيراد لاحقة بيانات بعض هؤلاء الطلاب، وما غيّرته يبقى: ${names}.`,
  },
})

/** How many are named. */
const most = 5

/** What is asked before an import is taken back, and what to know: what was changed since, and which later imports did. */
export async function beforeTakeBack({ id, counts }: Import): Promise<string[]> {
  const ask = texts().takeBackAsk(counts?.create ?? 0, counts?.change ?? 0)
  return [ask, ...(await changedSince(id)), ...(await laterThan(id))]
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
