import { listImports } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { isolated } from '../language/isolated.ts'
import { listed, textsOf } from '../language/language.ts'
import { nameOf } from './words.ts'

const texts = textsOf<(names: string) => string>({
  en: (names) => `Later imports changed some of the same students. What they changed stays: ${names}.`,
  de: (names) =>
    `Spätere Importe haben einige derselben Kinder geändert. Was sie geändert haben, bleibt: ${names}.`,
  ar: (names) => `غيّرت عمليات استيراد لاحقة بيانات بعض هؤلاء الطلاب، وما غيّرته يبقى: ${names}.`,
})

/** How many are named. */
const most = 5

/** What to know before an import is taken back: the later ones that changed the same students; nothing where none did. */
export async function laterThan(id: number): Promise<string[]> {
  const came = await call(() => listImports({ query: { later_than: id, per_page: most } }))
  if (came.is === 'failed' || came.data.data.length === 0) return []
  const names = came.data.data.map((one) => isolated(`${nameOf(one)} (${one.id})`))
  const more = came.data.pagination.total > names.length ? ' …' : ''
  return [texts()(listed(names) + more)]
}
