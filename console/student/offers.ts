import { signal } from '@preact/signals'
import type { Guardian, NewGuardian, Student, StudentPatch } from '../../client/src/index.ts'
import { listedApart, t } from '../language/language.ts'
import { classes, visit } from '../session/session.ts'
import {
  type ChildField,
  childFields,
  guardianFields,
  guardiansOf,
  sentValue,
  type Typed,
  typedOf,
} from './form.ts'
import { placeIn } from './shared.ts'
import { texts } from './texts.ts'

/** What was typed for a new student who turned out to be this one; of whose visit, so that nobody else sees it. */
export const typedFor = signal<{ id: number; visit: number; typed: Typed } | undefined>(undefined)

/** What was typed for this student, by who is here now. */
export function typedForStudent(id: number): Typed | undefined {
  const { value } = typedFor
  return value?.id === id && value.visit === visit.value ? value.typed : undefined
}

/** One change that is offered. */
export interface Offer {
  readonly key: string
  readonly label: string
  readonly stands: string
  readonly typed: string
  readonly change: { readonly field: ChildField } | { readonly place: number; readonly guardian: NewGuardian }
}

/** What was typed and stands otherwise in the record. What was left empty changes nothing. */
export function offersOf(student: Student, typed: Typed): Offer[] {
  const stands = typedOf('child', student)
  const fields = childFields.filter((field) => {
    const pointer = `/${field}`
    if (!typed[pointer]?.trim() || !(pointer in stands)) return false
    return sentValue(field, typed[pointer]) !== student[field]
  })
  const ofChild = fields.map((field) => ({
    key: field,
    label: t().fields[field],
    stands: shown(field, stands[`/${field}`] ?? ''),
    typed: shown(field, typed[`/${field}`] ?? ''),
    change: { field },
  }))
  return 'guardians' in student ? [...ofChild, ...guardianOffers(student, typed)] : ofChild
}

const shown = (field: ChildField, text: string) =>
  field === 'class_id' ? (classes.value.find(({ id }) => String(id) === text)?.label ?? text) : text

function guardianOffers(student: Student, typed: Typed): Offer[] {
  const guardians = (student.guardians ?? []) as Guardian[]
  return (guardiansOf(typed) ?? []).flatMap((guardian, i): Offer[] => {
    const namesake = guardians.findIndex(({ name }) => name === guardian.name)
    const place = namesake >= 0 ? namesake : placeIn(guardians, guardian)
    const there = guardians[place]
    if (there === undefined) {
      const text = listedApart(guardianFields.flatMap((name) => guardian[name] ?? []))
      const label = texts().newGuardian(guardian.name)
      return [{ key: `guardian-${i}`, label, stands: '', typed: text, change: { place: -1, guardian } }]
    }
    const others = guardianFields.filter((name) => guardian[name] && guardian[name] !== there[name])
    return others.map((name) => ({
      key: `guardian-${i}-${name}`,
      label: `${there.name}, ${t().fields[name]}`,
      stands: there[name] ?? '',
      typed: guardian[name] ?? '',
      change: { place, guardian: { [name]: guardian[name] } as unknown as NewGuardian },
    }))
  })
}

/** What is sent for the offers that were chosen. */
export function patchOfOffers(student: Student, typed: Typed, chosen: readonly Offer[]): StudentPatch {
  const guardians = ((student.guardians ?? []) as NewGuardian[]).map((one) => ({ ...one }))
  const patch: Record<string, unknown> = {}
  for (const { change } of chosen) {
    if ('field' in change) patch[change.field] = sentValue(change.field, typed[`/${change.field}`] ?? '')
    else if (change.place === -1) guardians.push(change.guardian)
    else Object.assign(guardians[change.place]!, change.guardian)
  }
  return chosen.some(({ change }) => 'place' in change) ? { ...patch, guardians } : patch
}
