import type { Signal } from '@preact/signals'
import type { PlannedCell, PlannedRow, Student } from '../../client/src/index.ts'
import { isListed } from '../../src/text/listed-names.ts'
import { isolated } from '../language/isolated.ts'
import { textsOf } from '../language/language.ts'
import { childColumns } from '../student/child-fields.ts'
import { choicesFor } from './choosing.ts'
import { type Choices, type Chosen, chosenFor, idsOf, placeOf, reasonsOf } from './decided.ts'
import { keptNames } from './kept-names.ts'
import { inWords, useStudent } from './known.tsx'
import { Cell, RowNumber, Told, Who } from './row-parts.tsx'
import { texts } from './texts.ts'

/** How many students a row is compared with on the screen. */
const mostKnown = 5

interface DoubtfulProps {
  readonly row: PlannedRow
  readonly choices: Signal<Choices>
  readonly isMissed: boolean
}

/** A row that may be of a student who is there: the two beside each other, and the choices. */
export function Doubtful({ row, choices, isMissed }: DoubtfulProps) {
  const place = placeOf(row)
  const chosen = choices.value[place]
  const reasons = reasonsOf(row)
  const ids = idsOf(row).slice(0, mostKnown)
  const take = (decision: Chosen['decision'], id?: number) => {
    choices.value = { ...choices.value, [place]: chosenFor(row, decision, id) }
  }
  const say = choicesFor(reasons, ids.length > 0)
  const isOpen = isMissed && chosen === undefined
  return (
    <fieldset class="section doubtful" key={place} aria-describedby={isOpen ? `${place}-fault` : undefined}>
      <legend>
        <RowNumber row={row} /> · <Who row={row} />
      </legend>
      <Told row={row} outcome="doubtful" />
      {reasons.map((code) => (
        <p key={code}>? {whySaid(row.cells.find((cell) => cell.code === code)!)}</p>
      ))}
      {say.advice && <p>{say.advice}</p>}
      {isOpen && (
        <p class="fault" id={`${place}-fault`}>
          × {texts().chooseRow}
        </p>
      )}
      {ids.map((id, i) => (
        <Same
          key={id}
          id={id}
          row={row}
          place={place}
          inputId={i === 0 ? place : `${place}-${id}`}
          chosen={chosen?.id === id ? chosen.decision : undefined}
          take={(decision) => take(decision, id)}
        />
      ))}
      {(['new', 'leave_out'] as const).map((decision, i) => (
        <div class="choice" key={decision}>
          <input
            type="radio"
            name={place}
            id={i === 0 && ids.length === 0 ? place : `${place}-${decision}`}
            checked={chosen?.decision === decision}
            onChange={() => take(decision)}
          />
          <label for={i === 0 && ids.length === 0 ? place : `${place}-${decision}`}>
            {decision === 'new' ? say.other : say.leaveOut}
          </label>
        </div>
      ))}
    </fieldset>
  )
}

/** Why a row is doubtful: the row that is like it, or what a child who is there has in common with it. */
function whySaid({ code, detail, params }: PlannedCell): string | undefined {
  const { rowIn, ...said } = texts()
  if (code === undefined) return detail
  const twice: Readonly<Record<string, (other: string) => string>> = said.twice
  const why: Readonly<Record<string, string>> = said.why
  const ofRow = params?.row === undefined ? undefined : twice[code]?.(rowIn(params.row, params.sheet_name))
  return ofRow ?? why[code] ?? detail
}

interface SameProps {
  readonly id: number
  readonly row: PlannedRow
  readonly place: string
  readonly inputId: string
  readonly chosen: Chosen['decision'] | undefined
  readonly take: (decision: Chosen['decision']) => void
}

/** That a row is of this child; where it spells the name in another way, also that the name stays. */
function Same({ id, row, place, inputId, chosen, take }: SameProps) {
  const student = useStudent(id)
  const changes = student ? changesOf(student, row) : []
  const others = changes.filter(({ column }) => !ofName.has(column))
  const who = student ? inWords(student) : '…'
  const choices = [
    { decision: 'same', label: texts().same(who), changes },
    { decision: 'same_keep_name', label: keptNames().one(who), changes: others },
  ] as const
  // Chosen for many at once, it is shown where the name is the same, too.
  const mayKeepName = others.length < changes.length || chosen === 'same_keep_name'
  return choices.slice(0, mayKeepName ? 2 : 1).map(({ decision, label, changes }, i) => (
    <div class="choice" key={decision}>
      <input
        type="radio"
        name={place}
        id={i === 0 ? inputId : `${inputId}-name`}
        checked={chosen === decision}
        onChange={() => take(decision)}
      />
      <label for={i === 0 ? inputId : `${inputId}-name`}>
        {label}
        {changes.length > 0 && (
          <span class="under">
            {texts().wouldChange}{' '}
            {changes.map((cell, i) => (
              <span key={cell.column}>
                {i > 0 && ' · '}
                <Cell cell={cell} isNew={false} />
              </span>
            ))}
          </span>
        )}
        {student && keepsNumber(row, id) && (
          <span class="under">{stays()(isolated(student.admission_number))}</span>
        )}
        {student?.guardians && givesGuardians(row) && (
          <span class="under">{guardiansThere()(student.guardians.map(({ name }) => isolated(name)))}</span>
        )}
      </label>
    </div>
  ))
}

const ofName: ReadonlySet<string> = new Set(['name', 'given_name', 'family_name'])

/** Whether the student keeps the number, since the row has it but for zeros, hyphens and other marks, or the script of its digits. */
const keepsNumber = ({ cells }: PlannedRow, id: number) =>
  cells.some(({ code, ids }) => code === 'similar_number' && ids?.includes(id))

const stays = textsOf<(number: string) => string>({
  en: (number) => `The number stays ${number}.`,
  de: (number) => `Die Nummer bleibt ${number}.`,
  ar: (number) => `يبقى الرقم ${number}.`,
})

/** Which of them the row means, the plan finds out: here it is said who is there. */
const givesGuardians = ({ cells }: PlannedRow) => cells.some(({ column }) => column.startsWith('guardian_'))

const guardiansThere = textsOf<(names: readonly string[]) => string>({
  en: (names) => `Guardians in the record: ${names.join(', ') || 'none'}.`,
  de: (names) => `Eltern bisher: ${names.join(', ') || 'keine'}.`,
  ar: (names) => `أولياء الأمور المسجّلون: ${names.join('، ') || 'لا أحد'}.`,
})

/** What the row would change of the student: of guardians and of the school's own fields the plan tells. */
const changesOf = (student: Student, row: PlannedRow): PlannedCell[] =>
  childColumns.flatMap((column) => {
    if (column === 'admission_number' && keepsNumber(row, student.id)) return []
    if (column === 'name' && (isJoined(row) || isListed(toOf(row, 'name'), student.name))) return []
    const to = toOf(row, column)
    const from = student[column] ?? null
    return to === undefined || to === null || to === from ? [] : [{ column, from, to }]
  })

const toOf = ({ cells }: PlannedRow, column: string) =>
  cells.find((cell) => cell.column === column && cell.code === undefined)?.to

/** Whether the row's name is but its parts: a full name that stands in the record does not follow them. */
function isJoined(row: PlannedRow): boolean {
  const [given, family] = [toOf(row, 'given_name'), toOf(row, 'family_name')]
  return [`${given} ${family}`, `${family} ${given}`].includes(toOf(row, 'name') ?? '')
}
