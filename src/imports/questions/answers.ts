import { escapePointer, faultsProblem } from '../../http/validation.ts'
import type { FieldFault } from '../../problems.ts'
import type { Answer, Question, Settings } from '../model.ts'

/** Questions whose choices are proposals: another answer of the same kind will do, and is looked at as the file is read. */
const openKeys = /^(class\.|column\.|class_id$|admission_number$|clear$|match$)/

/**
 * The answers after a patch (RFC 7396). An answer is to a question that is asked, or was.
 * @throws Problem validation_failed
 */
export function patchAnswers(
  before: Settings,
  patch: Readonly<Record<string, Answer | null>>,
  questions: readonly Question[],
): Settings {
  const faults = Object.entries(patch).flatMap(([key, answer]) => faultOf(key, answer, before, questions))
  if (faults.length > 0) throw faultsProblem(faults)
  const merged = Object.entries({ ...before, ...patch }).filter(([, answer]) => answer !== null)
  return Object.fromEntries(merged) as Settings
}

function faultOf(
  key: string,
  answer: Answer | null,
  before: Settings,
  questions: readonly Question[],
): FieldFault[] {
  const pointer = `/answers/${escapePointer(key)}`
  const question = questions.find((question) => question.key === key)
  if (question === undefined && !Object.hasOwn(before, key)) {
    const accepted = questions.map(({ key }) => key).slice(0, 100)
    const detail = 'is no question of this import'
    return [{ pointer, code: 'unknown_member', detail, params: { accepted } }]
  }
  if (answer === null) return []
  if (key === 'encoding' && !isEncoding(answer))
    return [{ pointer, code: 'invalid', detail: 'must be the label of an encoding, such as windows-1252' }]
  if (question === undefined || openKeys.test(key)) return []
  const accepted = question.choices.map(({ answer }) => String(answer))
  if (accepted.length === 0 || accepted.includes(String(answer))) return []
  const detail = `must be one of ${accepted.join(', ')}`
  return [{ pointer, code: 'not_allowed', detail, params: { accepted } }]
}

function isEncoding(answer: Answer): boolean {
  try {
    return new TextDecoder(String(answer)).encoding !== 'utf-8' || answer === 'utf-8'
  } catch {
    return false
  }
}
