import { escapePointer } from '../../http/validation.ts'
import type { Fault, FieldFault } from '../../problems.ts'
import type { Answer, ImportRow, Question, Settings } from '../model.ts'
import { type Answerable, faultOfAnswer, kindOfAnswer } from './answer-rules.ts'

/**
 * The answers after a patch (RFC 7396). An answer is to a question that is asked, or was, or to one that the file
 * answers by itself. It is one that holds: `faults` has those that do not.
 */
export function patchAnswers(
  { settings: before, questions, taken_back }: Pick<ImportRow, 'settings' | 'questions' | 'taken_back'>,
  patch: Readonly<Record<string, Answer | null>>,
  about: Omit<Answerable, 'settings'>,
): { readonly settings: Settings; readonly faults: readonly FieldFault[] } {
  const merged = Object.entries({ ...before, ...patch }).filter(([, answer]) => answer !== null)
  const settings = Object.fromEntries(
    merged.map(([key, answer]) => [key, isNumber(key, answer!) ? Number(answer) : answer]),
  ) as Settings
  const told = Object.keys(about.file?.decided ?? {})
  const asked = [...questions.map(({ key }) => key), ...Object.keys(before), ...taken_back, ...told]
  const known = [...new Set(asked)]
  const faults = Object.entries(patch).flatMap(([key, answer]) => {
    const fault =
      unaskedFault(key, known) ??
      (answer === null
        ? undefined
        : (choiceFault(key, answer, questions) ?? faultOfAnswer(key, answer, { ...about, settings })))
    return fault === undefined ? [] : [{ pointer: `/answers/${escapePointer(key)}`, ...fault }]
  })
  return { settings, faults }
}

/** Whether an answer is an id or a year, which may have come as a text: choices have it as a number. */
function isNumber(key: string, answer: Answer): boolean {
  return kindOfAnswer(key)?.numberOf !== undefined && /^[1-9]\d{0,14}$/.test(String(answer))
}

function unaskedFault(key: string, known: readonly string[]): Fault | undefined {
  if (known.includes(key)) return undefined
  return {
    code: 'unknown_member',
    detail: 'is no question of this import',
    params: { accepted: known.slice(0, 100) },
  }
}

function choiceFault(key: string, answer: Answer, questions: readonly Question[]): Fault | undefined {
  const question = questions.find((question) => question.key === key)
  if (question === undefined || kindOfAnswer(key)?.isOpen) return undefined
  const accepted = question.choices.map(({ answer }) => String(answer))
  if (accepted.length === 0 || accepted.includes(String(answer))) return undefined
  const quoted = accepted.map((one) => (/^[\p{L}\p{N}]/u.test(one) ? one : JSON.stringify(one)))
  return { code: 'not_allowed', detail: `must be one of ${quoted.join(', ')}`, params: { accepted } }
}
