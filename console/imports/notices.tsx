import type { Import } from '../../client/src/index.ts'
import { isolated } from '../language/isolated.ts'
import { listed, textsOf } from '../language/language.ts'
import { numberIn, plural } from '../language/plurals.ts'
import type { ImportRecord } from './record.ts'
import { texts } from './texts.ts'
import { ThatImport } from './that-import.tsx'
import { Said } from './told/said.tsx'
import { toldAbove, warningSaid } from './told/told.ts'
import { subjectOf } from './words.ts'

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

/** The headings of columns that kept answers leave out. */
function leftOutBefore({ mapping, answers }: Import): readonly string[] {
  const all = mapping === null ? [] : Object.entries(answers)
  return all.flatMap(([key, answer]) =>
    key.startsWith('column.') && answer === 'leave_out' ? isolated(subjectOf(key)) : [],
  )
}

/** Says above the rows what a file would damage, which columns are left out unasked, and who is missing in the file. */
export function Notices({ record, imported }: { record: ImportRecord; imported: Import }) {
  const { id, warnings, counts } = imported
  const before = leftOutBefore(imported)
  const warned = toldAbove.flatMap((one) => warnings.filter(({ code }) => code === one))
  const overwrites = warned[0]?.code === 'other_children'
  const leavesOutTwins = warned.some(({ code }) => code === 'twins_left_out')
  const count = counts?.missing ?? 0
  return (
    <>
      {warned.length > 0 && (
        <div class="summary">
          {warned.map((warning) => (
            <strong key={`${warning.code} ${warning.params?.heading}`}>
              <Said {...warningSaid(warning)} />
              <LeaveOut record={record} warning={warning} />
              {warning.params?.import !== undefined && <ThatImport id={warning.params.import} />}
            </strong>
          ))}
          {leavesOutTwins && <a href={`#/imports/${id}?show=left_out`}>− {texts().outcomes.left_out}</a>}
          {overwrites && <a href={`#/imports/${id}?show=change`}>~ {texts().outcomes.change}</a>}
        </div>
      )}
      {before.length > 0 && <p class="said">{leftOut()(listed(before))}</p>}
      {count > 0 && (
        <p class="check">
          {missing()(count)} <a href={`#/imports/${id}?show=missing`}>! {texts().outcomes.missing}</a>
        </p>
      )}
    </>
  )
}

/** Says below the rows what else one should know of the file. */
export function Warnings({ imported }: { imported: Import }) {
  const warnings = imported.warnings.filter(({ code }) => !toldAbove.includes(code))
  if (warnings.length === 0) return null
  return (
    <section class="section">
      <h2>{texts().warnings}</h2>
      <ul>
        {warnings.map((warning, i) => (
          <li key={i}>
            <Said {...warningSaid(warning)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The way out of a column that a spreadsheet has damaged. */
function LeaveOut({ record, warning }: { record: ImportRecord; warning: Import['warnings'][number] }) {
  const { heading } = warning.params ?? {}
  if (warning.code !== 'zeros_lost' || heading === undefined) return null
  return (
    <>
      {' '}
      <button
        type="button"
        class="plain"
        aria-label={`${texts().leaveColumnOut}: ${heading}`}
        onClick={() => void record.patch({ answers: { [`column.${heading}`]: 'leave_out' } })}
      >
        {texts().leaveColumnOut}
      </button>
    </>
  )
}
