import type { Db, Instant } from '../db/tables.ts'
import { updateRow } from '../db/versions.ts'
import { violatesUnique } from '../db/violations.ts'
import { changedFields } from '../events/changed-fields.ts'
import type { Tx } from '../events/log.ts'
import { faultsProblem } from '../http/validation.ts'
import { type FieldFault, invalidField, Problem } from '../problems.ts'
import { uniqueKey } from '../text/normalise.ts'
import { hasValues, optionsInUse } from './in-use.ts'
import { keyOf } from './keys.ts'
import { hasOptions, type Kind, maxFields, maxPosition } from './kinds.ts'
import { type Field, findFields } from './queries.ts'

export interface NewField {
  readonly label: string
  readonly kind: Kind
  /** Else made of the label. */
  readonly key?: string
  /** For the kinds that have options, and for no other. */
  readonly options?: readonly string[]
  readonly sensitive?: boolean
  /** Else after the last. */
  readonly position?: number
}

/**
 * Call behind `lockFields`. @returns the new field's id
 * @throws Problem too_many_fields, field_label_taken or field_key_taken, or validation_failed for wrong options
 */
export async function insertField(tx: Tx, given: NewField, now: Instant): Promise<number> {
  const { label, kind, options = null, sensitive = false } = given
  checkOptions(kind, given.options, 'given anew')
  const others = await findFields(tx)
  if (others.length >= maxFields) throw tooManyFields()
  const last = Math.max(0, ...others.map(({ position }) => position))
  const { position = Math.min(last + 1, maxPosition) } = given
  const taken = others.map(({ key }) => key)
  const { key = keyOf(label, taken) } = given
  const row = {
    ...{ key, label, kind, position },
    label_key: uniqueKey(label),
    options: options && JSON.stringify(options),
    sensitive: sensitive ? 1 : 0,
    created_at: now,
    updated_at: now,
  }
  const { id } = await explainTaken(() =>
    tx.insertInto('fields').values(row).returning('id').executeTakeFirstOrThrow(),
  )
  await countChange(tx, now)
  const fields = changedFields(logged, undefined, has({ key, label, kind, options, sensitive, position }))
  tx.record({ record: 'field', id, action: 'created', at: now, fields })
  return id
}

/** The fields of a field that can be changed. */
export type FieldPatch = Partial<Pick<Field, 'label' | 'sensitive' | 'position' | 'archived'>> & {
  readonly options?: readonly string[]
}

/**
 * Changes what the patch has that differs. If nothing differs, the version stays. Call behind `lockFields`.
 * @throws Problem field_label_taken; field_in_use where values are to be seen by all; option_in_use, or
 * validation_failed for wrong options
 */
export async function updateField(tx: Tx, before: Field, patch: FieldPatch, now: Instant): Promise<void> {
  checkOptions(before.kind, patch.options, 'changed')
  const fields = changedFields(Object.keys(patch), before, patch)
  if (Object.keys(fields).length === 0) return
  const changed: FieldPatch = Object.fromEntries(Object.entries(patch).filter(([name]) => name in fields))
  if (changed.sensitive === false && (await hasValues(tx, before))) throw staysSensitive()
  await checkRemovedOptions(tx, before, changed.options)
  const { label, options, sensitive, position, archived } = changed
  const columns = {
    ...(label !== undefined && { label, label_key: uniqueKey(label) }),
    ...(position !== undefined && { position }),
    ...(archived !== undefined && { archived_at: archived ? now : null }),
    ...(options !== undefined && { options: JSON.stringify(options) }),
    ...(sensitive !== undefined && { sensitive: sensitive ? 1 : 0 }),
  }
  await explainTaken(() => updateRow(tx, 'fields', before.id, columns, now))
  await countChange(tx, now)
  tx.record({ record: 'field', id: before.id, action: 'changed', at: now, fields })
}

/**
 * Deletes a field that no student has a value of. Call behind `lockFields`.
 * @throws Problem field_in_use
 */
export async function deleteField(tx: Tx, field: Field, now: Instant): Promise<void> {
  if (await hasValues(tx, field)) throw fieldInUse()
  await tx.deleteFrom('fields').where('id', '=', field.id).execute()
  await countChange(tx, now)
  const fields = changedFields(logged, has(field), undefined)
  tx.record({ record: 'field', id: field.id, action: 'removed', at: now, fields })
}

/** What remembers the fields reads them again. */
async function countChange(db: Db, now: Instant): Promise<void> {
  await updateRow(db, 'field_changes', 1, {}, now)
}

const logged = ['key', 'label', 'kind', 'options', 'sensitive', 'position', 'archived'] as const

/** What the log tells of a field that comes or goes: what it has, not what it lacks. */
function has(field: object) {
  return Object.fromEntries(Object.entries(field).filter(([, value]) => value !== false))
}

/** @throws Problem validation_failed where options are missing, out of place, or alike */
function checkOptions(
  kind: Kind,
  options: readonly string[] | undefined,
  when: 'given anew' | 'changed',
): void {
  if (options === undefined) {
    if (hasOptions(kind) && when === 'given anew')
      throw invalidField('/options', { code: 'required', detail: 'is required for this kind' })
    return
  }
  if (!hasOptions(kind))
    throw invalidField('/options', {
      code: 'invalid',
      detail: 'is for the kinds one_of and several_of alone',
    })
  const keys = options.map(uniqueKey)
  const faults = keys.flatMap((key, index): FieldFault[] =>
    keys.indexOf(key) < index
      ? [{ pointer: `/options/${index}`, code: 'duplicate', detail: 'looks like another option' }]
      : [],
  )
  if (faults.length > 0) throw faultsProblem(faults)
}

/** @throws Problem option_in_use */
async function checkRemovedOptions(db: Db, before: Field, options?: readonly string[]): Promise<void> {
  if (options === undefined) return
  const removed = before.options!.filter((option) => !options.includes(option))
  const accepted = await optionsInUse(db, before, removed)
  if (accepted.length === 0) return
  const detail = 'must keep the options that students have'
  throw new Problem(
    'option_in_use',
    'Students have an option that would go. Give them another one first; options are only added, or removed when nobody has them.',
    { errors: [{ pointer: '/options', code: 'option_in_use', detail, params: { accepted } }] },
  )
}

function tooManyFields(): Problem {
  return new Problem(
    'too_many_fields',
    `There are ${maxFields} fields, as many as there may be. Delete one that no student has a value of.`,
  )
}

function fieldInUse(): Problem {
  return new Problem(
    'field_in_use',
    'Students have values of the field, so it stays. Archive it instead: PATCH /api/fields/{id} with archived true, or ./registrar.js field archive FIELD.',
  )
}

function staysSensitive(): Problem {
  const detail = 'stays true as long as students have values of the field'
  return new Problem('field_in_use', `/sensitive ${detail}.`)
}

async function explainTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (violatesUnique(cause, 'fields.label_key')) {
      const detail = 'Another field has this label; labels that look alike count as one.'
      const errors = [{ pointer: '/label', code: 'taken', detail: 'is the label of another field' } as const]
      throw new Problem('field_label_taken', detail, { errors, cause })
    }
    if (!violatesUnique(cause, 'fields.key')) throw cause
    const errors = [{ pointer: '/key', code: 'taken', detail: 'is the key of another field' } as const]
    throw new Problem('field_key_taken', 'Another field has this key.', { errors, cause })
  }
}
