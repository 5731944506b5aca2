import type { Import } from '../../client/src/index.ts'
import { listedApart, textsOf } from '../language/language.ts'
import { numberIn, plural } from '../language/plurals.ts'
import { Later } from '../parts/later.tsx'
import type { ImportRecord } from './record.ts'
import { texts } from './texts.ts'
import { subjectOf } from './words.ts'

const loadAbove = async () => ({ Screen: (await import('./warned.tsx')).Above })

const missing = textsOf<(count: number) => string>({
  en: (count) =>
    plural.en(count, {
      one: '# student of these classes is not in the file. Nothing is written about this student.',
      other: '# students of these classes are not in the file. Nothing is written about them.',
    }),
  de: (count) =>
    plural.de(count, {
      one: '# Kind dieser Klassen steht nicht in der Datei. Es bleibt, wie es ist.',
      other: '# Kinder dieser Klassen stehen nicht in der Datei. Sie bleiben, wie sie sind.',
    }),
  ar: (count) => `طلاب من هذه الصفوف ليسوا في الملف: ${numberIn('ar', count)}. لا يُكتب شيء عنهم.`,
})

const leftOut = textsOf<(headings: string) => string>({
  en: (headings) => `Left out, as was answered for an earlier file: ${headings}.`,
  de: (headings) => `Weggelassen, wie für eine frühere Datei geantwortet wurde: ${headings}.`,
  ar: (headings) => `أعمدة مستبعدة بحسب إجابات ملف سابق: ${headings}.`,
})

const dropped = textsOf<(count: number) => string>({
  en: (count) =>
    plural.en(count, {
      one: 'Your choice for # row was not saved: somebody else decided about it meanwhile, or the new check does not ask about it. Look at the counts.',
      other:
        'Your choices for # rows were not saved: somebody else decided about them meanwhile, or the new check does not ask about them. Look at the counts.',
    }),
  de: (count) =>
    plural.de(count, {
      one: 'Ihre Entscheidung zu # Zeile wurde nicht gespeichert: Inzwischen hat jemand anders darüber entschieden, oder die neue Prüfung fragt nicht danach. Sehen Sie die Zahlen an.',
      other:
        'Ihre Entscheidungen zu # Zeilen wurden nicht gespeichert: Inzwischen hat jemand anders darüber entschieden, oder die neue Prüfung fragt nicht danach. Sehen Sie die Zahlen an.',
    }),
  ar: (count) =>
    `اختيارات لم تُحفظ: ${numberIn('ar', count)}. بتّ شخص آخر في أسطرها في هذه الأثناء، أو لم يعد الفحص الجديد يسأل عنها. راجع الأعداد.`,
})

/** The headings of columns that kept answers leave out. */
function leftOutBefore({ mapping, answers }: Import): readonly string[] {
  const all = mapping === null ? [] : Object.entries(answers)
  return all.flatMap(([key, answer]) =>
    key.startsWith('column.') && answer === 'leave_out' ? subjectOf(key) : [],
  )
}

/** Says above the rows which choices went, what a file would damage, which columns are left out unasked, who is missing. */
export function Notices({ record, imported }: { record: ImportRecord; imported: Import }) {
  const { id, warnings, counts } = imported
  const before = leftOutBefore(imported)
  const count = counts?.missing ?? 0
  return (
    <>
      {record.dropped.value > 0 && (
        <p class="check" role="status">
          {dropped()(record.dropped.value)}
        </p>
      )}
      {warnings.length > 0 && <Later load={loadAbove} given={{ record, imported }} />}
      {before.length > 0 && <p class="said">{leftOut()(listedApart(before))}</p>}
      {count > 0 && (
        <p class="check">
          {missing()(count)} <a href={`#/imports/${id}?show=missing`}>! {texts().outcomes.missing}</a>
        </p>
      )}
    </>
  )
}
