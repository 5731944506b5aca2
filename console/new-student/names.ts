import type { FieldFault } from '../../client/src/index.ts'
import { school, usesNameParts } from '../session/session.ts'
import type { ChildField, Typed } from '../student/form.ts'

/*
 * A new student's name is typed whole, or in the parts that lists are ordered by: as most students of the school have
 * it, until one chooses otherwise.
 */

const parts: readonly ChildField[] = ['given_name', 'family_name']

/** The fields of the name, in the order of the school. */
export function nameFields(inParts: boolean): readonly ChildField[] {
  if (!inParts) return ['name']
  return school.value?.name_order === 'family_first' ? parts.toReversed() : parts
}

const empty = (names: readonly ChildField[]): Typed =>
  Object.fromEntries(names.map((name) => [`/${name}`, '']))

/** The fields of the name before anything is typed; `anyName`: of both forms. */
export const noName = (inParts: boolean): Typed => empty(nameFields(inParts))
export const anyName: Typed = empty(['name', ...parts])

/** One part is enough. A whole name is looked for as every field that is required. */
export function missingName(typed: Typed, inParts: boolean): FieldFault[] {
  if (!inParts || wholeName(typed, true) !== '') return []
  return [{ pointer: `/${nameFields(true)[0]}`, code: 'required', detail: '' }]
}

/** What the API says of the name that it joined stands at the first part. */
export const atName = (fault: FieldFault, first: ChildField): FieldFault =>
  fault.pointer === '/name' ? { ...fault, pointer: `/${first}` } : fault

/** Whether a form has the parts: what was typed before counts. */
export function isInParts(typed: Typed | undefined): boolean {
  if (typed?.['/name']) return false
  return usesNameParts.value || parts.some((part) => typed?.[`/${part}`])
}

/** The name as one text. */
export function wholeName(typed: Typed, inParts: boolean): string {
  const texts = nameFields(inParts).map((name) => typed[`/${name}`]?.trim())
  return texts.filter(Boolean).join(' ')
}

/** The form with the other fields for the name. A whole name is not split: it stands in the first part. */
export function switched(typed: Typed, toParts: boolean): Typed {
  const pointers = (inParts: boolean) => nameFields(inParts).map((name) => `/${name}`)
  const gone = pointers(!toParts)
  const others = Object.entries(typed).filter(([at]) => !gone.includes(at))
  const [first, ...rest] = pointers(toParts)
  const named = { [first!]: wholeName(typed, !toParts), ...Object.fromEntries(rest.map((at) => [at, ''])) }
  return { ...named, ...Object.fromEntries(others) }
}
