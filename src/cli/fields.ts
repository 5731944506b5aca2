import { maxEmailLength, maxNameLength } from '../auth/schema.ts'
import { maxLabelLength } from '../classes/queries.ts'
import { textFormats } from '../text/formats.ts'
import { codePoints } from '../text/normalise.ts'
import { CommandError } from './command.ts'

/** A text that a command was given, in the form in which it is stored. @throws CommandError */
export const readField = {
  email: (text: string) => read('The e-mail address', 'email', maxEmailLength, text),
  name: (text: string) => read('The name', 'person-name', maxNameLength, text),
  label: (text: string) => read('The label', 'class-label', maxLabelLength, text),
}

function read(what: string, format: keyof typeof textFormats, maxLength: number, given: string): string {
  const { normalise, accepts, detail } = textFormats[format]
  const text = normalise(given)
  if (text === '') throw new CommandError(`${what} must not be empty.`)
  if (codePoints(text) > maxLength)
    throw new CommandError(`${what} must have at most ${maxLength} characters.`)
  if (!accepts(text)) throw new CommandError(`${what} ${detail}.`)
  return text
}
