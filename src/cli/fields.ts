import { maxLabelLength } from '../classes/changes.ts'
import { maxLabelLength as maxFieldLabelLength, maxKeyLength } from '../fields/kinds.ts'
import { ExplainedError } from '../problems.ts'
import { textFormats } from '../text/formats.ts'
import { codePoints } from '../text/normalise.ts'
import { maxEmailLength, maxNameLength, maxRoleNameLength } from '../users/lengths.ts'
import { CommandError } from './command.ts'

/** A text that a command was given, in the form in which it is stored. @throws CommandError */
export const readField = {
  email: (text: string) => readText('The e-mail address', 'email', maxEmailLength, text),
  name: (text: string) => readText('The name', 'person-name', maxNameLength, text),
  role: (text: string) => readText('The name', 'role-name', maxRoleNameLength, text),
  label: (text: string) => readText('The label', 'class-label', maxLabelLength, text),
  fieldLabel: (text: string) => readText('The label', 'field-label', maxFieldLabelLength, text),
  option: (text: string) => readText('The option', 'field-label', maxFieldLabelLength, text),
  key: (text: string) => readText('The key', 'field-key', maxKeyLength, text),
}

/** Reads one text. @throws CommandError that says what would be right */
export function readText(
  what: string,
  format: keyof typeof textFormats,
  maxLength: number,
  given: string,
): string {
  const { normalise, accepts, detail } = textFormats[format]
  const text = normalise(given)
  if (text === '') throw new CommandError(`${what} must not be empty.`)
  if (codePoints(text) > maxLength)
    throw new CommandError(`${what} must have at most ${maxLength} characters.`)
  if (!accepts(text)) throw new CommandError(`${what} ${detail}.`)
  return text
}

/** Reads everything before it gives up. @throws CommandError that tells all that is wrong */
export async function allOrFaults<const Readers extends readonly (() => Promise<unknown>)[]>(
  readers: Readers,
): Promise<{ -readonly [Index in keyof Readers]: Awaited<ReturnType<Readers[Index]>> }> {
  const outcomes = await Promise.allSettled(readers.map((read) => read()))
  const faults = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  for (const fault of faults) if (!(fault instanceof ExplainedError)) throw fault
  if (faults.length > 0) throw new CommandError(faults.map(({ message }) => message).join(' '))
  return outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value) as never
}
