import {
  type Field,
  type FieldPatch,
  getField,
  listFields,
  type NewField,
  updateField,
} from '../../client/src/index.ts'
import { call, type Failure, type Outcome } from '../api/calls.ts'
import { t } from '../language/language.ts'
import { asShown, type ReadRecord } from '../parts/edit-form.tsx'
import { ownFields } from '../session/session.ts'
import type { Typed } from '../student/form.ts'
import { kindTexts } from './kind-texts.ts'
import { texts } from './texts.ts'

/** Every field, the archived ones too; forms of students show the others from then on. */
export async function fetchFields(): Promise<Outcome<readonly Field[]>> {
  const came = await call(() => listFields())
  if (came.is === 'failed') return came
  const { data } = came.data
  ownFields.value = data.filter(({ archived }) => !archived)
  return { ...came, data }
}

export async function fetchField(id: number): Promise<Outcome<ReadRecord<Field>>> {
  const came = await call(() => getField({ path: { id } }))
  return came.is === 'failed' ? came : { ...came, data: { record: came.data.data, tag: came.tag } }
}

/** Changes a field as it was read. @returns why not */
export async function change(id: number, body: FieldPatch, tag: string): Promise<Failure | undefined> {
  const came = await call(() => updateField({ path: { id }, body, headers: { 'If-Match': tag } }))
  return came.is === 'failed' ? came.failure : undefined
}

/** Gives a field of the version that the list shows another place. @returns why not */
export async function put(shown: Field, position: number): Promise<Failure | undefined> {
  const read = await fetchField(shown.id)
  return read.is === 'failed'
    ? read.failure
    : change(shown.id, { position }, asShown(read.data, shown)['If-Match'])
}

export const hasOptions = (kind: string) => kind === 'one_of' || kind === 'several_of'

/** A field as a form holds it: a choice a line. */
export const typedOf = ({ label, options, sensitive }: Field): Typed => ({
  '/label': label,
  ...(options && { '/options': options.join('\n') }),
  '/sensitive': sensitive ? 'yes' : '',
})

const optionsOf = (typed: string) =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What a change of these fields of the form sends. */
export const patchOf = (typed: Typed, changed: readonly string[]): FieldPatch => ({
  ...(changed.includes('/label') && { label: typed['/label']! }),
  ...(changed.includes('/options') && { options: optionsOf(typed['/options']!) }),
  ...(changed.includes('/sensitive') && { sensitive: typed['/sensitive'] === 'yes' }),
})

/** What a new field sends. */
export function newFieldOf(typed: Typed): NewField {
  const kind = typed['/kind'] as NewField['kind']
  const key = typed['/key']!.trim()
  return {
    ...{ label: typed['/label']!, kind, sensitive: typed['/sensitive'] === 'yes' },
    ...(key !== '' && { key }),
    ...(hasOptions(kind) && { options: optionsOf(typed['/options']!) }),
  }
}

export function labelOf(pointer: string): string {
  const { label, options, key } = texts()
  const { kind, sensitive } = kindTexts()
  const labels: Typed = { '/label': label, '/kind': kind, '/sensitive': sensitive, '/key': key }
  return labels[pointer] ?? options
}

export const shownOf = (pointer: string, value: string) =>
  pointer === '/sensitive' ? t().student.yes : value.replaceAll('\n', ', ')
