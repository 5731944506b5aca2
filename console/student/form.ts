import type {
  Field,
  FieldFault,
  Guardian,
  NewGuardian,
  Student,
  StudentPatch,
} from '../../client/src/index.ts'
import { readDay, typedDay } from '../language/dates.ts'
import { may, ownFields } from '../session/session.ts'
import { sensitiveFields } from './child-fields.ts'
import { sentOwn, typedOwn } from './own-values.ts'

/*
 * A section of a student as a form holds it: a text for each field, by the pointer that the API names it by
 * (`/name`, `/guardians/0/phone`, `/fields/house`).
 */

export type Typed = Readonly<Record<string, string>>
export type SectionName = 'child' | 'guardians' | 'own'

/** The fields of a child, in their order. Of the sensitive ones the API shows only what one may see. */
export const childFields = [
  'name',
  'preferred_name',
  'given_name',
  'family_name',
  'former_names',
  'admission_number',
  'class_id',
  ...sensitiveFields,
] as const
export type ChildField = (typeof childFields)[number]

/** Guardians are so as a whole. */
const sensitiveMembers: ReadonlySet<string> = new Set(['guardians', ...sensitiveFields])
/** Whether what stands there is not to be kept by a browser. */
export function isSensitive(pointer: string): boolean {
  const [, first = '', second = ''] = pointer.split('/')
  if (first === 'fields') return ownFields.value.find(({ key }) => key === second)?.sensitive !== false
  return sensitiveMembers.has(first)
}
export const linedFields: ReadonlySet<string> = new Set(['address', 'notes'])
const requiredFields: ReadonlySet<string> = new Set(['name', 'admission_number', 'class_id'])

export const guardianFields = ['name', 'phone', 'relation', 'email', 'address', 'note'] as const

/** The fields that this student shows. */
export const shownFields = (student: Partial<Student>) =>
  childFields.filter((name) => name in student || (!sensitiveMembers.has(name) && name !== 'class_id'))

/** The school's own fields that one sees of this student. Of those without a value the API says nothing. */
export const seenOwnFields = (student: Student): Field[] =>
  ownFields.value.filter(
    ({ sensitive, key }) => !sensitive || key in student.fields || 'date_of_birth' in student,
  )

/** What stands in the form of a section when it opens. */
export function typedOf(section: SectionName, student: Student): Typed {
  const typed: Record<string, string> = {}
  if (section === 'child')
    for (const name of shownFields(student)) {
      const value = student[name]
      typed[`/${name}`] = name === 'date_of_birth' && value ? typedDay(String(value)) : String(value ?? '')
    }
  if (section === 'guardians')
    for (const [i, guardian] of ((student.guardians ?? []) as Guardian[]).entries())
      for (const name of guardianFields) typed[`/guardians/${i}/${name}`] = guardian[name] ?? ''
  if (section === 'own')
    for (const field of seenOwnFields(student))
      typed[`/fields/${field.key}`] = typedOwn(field, student.fields[field.key])
  return typed
}

/** What a form changes, for the API: only what is otherwise than it was. */
export function patchOf(section: SectionName, before: Typed, typed: Typed): StudentPatch {
  const changed = Object.keys(typed).filter((pointer) => typed[pointer] !== before[pointer])
  if (section === 'guardians') {
    const isSame = changed.length === 0 && Object.keys(before).length === Object.keys(typed).length
    return isSame ? {} : { guardians: guardiansOf(typed) }
  }
  if (section === 'own') {
    const values = changed.map((pointer) => {
      const key = pointer.slice('/fields/'.length)
      return [key, sentOwn(ownFields.value.find((field) => field.key === key)!, typed[pointer]!)] as const
    })
    return values.length === 0 ? {} : { fields: Object.fromEntries(values) }
  }
  return Object.fromEntries(
    changed.map((pointer) => [pointer.slice(1), sentValue(pointer.slice(1), typed[pointer]!)]),
  )
}

/** One value for the API. A day that cannot be read is sent as it is: the API says what is wrong with it. */
export function sentValue(name: string, typed: string): string | number | null {
  const text = typed.trim()
  if (name === 'class_id') return Number(text)
  if (text === '') return requiredFields.has(name) ? '' : null
  return name === 'date_of_birth' ? (readDay(text) ?? text) : text
}

/** The guardians of a form, without those of whom nothing is entered. */
export function guardiansOf(typed: Typed): NewGuardian[] | null {
  const guardians = guardianPlaces(typed)
    .map((place) =>
      Object.fromEntries(
        guardianFields.map((name) => [name, typed[`/guardians/${place}/${name}`]?.trim() || null] as const),
      ),
    )
    .filter((guardian) => Object.values(guardian).some((value) => value !== null))
    .map((guardian) => ({ ...guardian, name: guardian.name ?? '' }))
  return guardians.length === 0 ? null : guardians
}

/** The places of the guardians in a form, in order. */
export function guardianPlaces(typed: Typed): number[] {
  const places = Object.keys(typed).map((pointer) => Number(/^\/guardians\/(\d+)\//.exec(pointer)?.[1] ?? -1))
  return [...new Set(places.filter((place) => place >= 0))].sort((a, b) => a - b)
}

/** The form with another guardian, or without one. */
export function withGuardian(typed: Typed): Typed {
  const place = (guardianPlaces(typed).at(-1) ?? -1) + 1
  return {
    ...typed,
    ...Object.fromEntries(guardianFields.map((name) => [`/guardians/${place}/${name}`, ''])),
  }
}

export function withoutGuardian(typed: Typed, place: number): Typed {
  const others = Object.entries(typed).filter(([pointer]) => !pointer.startsWith(`/guardians/${place}/`))
  const renumbered = others.map(([pointer, value]) => {
    const [, at = '', name = ''] = /^\/guardians\/(\d+)\/(.*)/.exec(pointer) ?? []
    return [Number(at) > place ? `/guardians/${Number(at) - 1}/${name}` : pointer, value] as const
  })
  return Object.fromEntries(renumbered)
}

/** What is plainly wrong before anything is sent: so the reader need not wait to hear of it. */
export function emptyFaults(typed: Typed): FieldFault[] {
  const empty = Object.keys(typed).filter(
    (pointer) => requiredFields.has(pointer.slice(1)) && !typed[pointer]!.trim(),
  )
  return empty.map((pointer) => ({ pointer, code: 'required', detail: '' }))
}

/** Whether a section may be changed. */
export const mayEdit = (section: SectionName) =>
  may('students.update') && (section !== 'guardians' || may('students.sensitive'))
