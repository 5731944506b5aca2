import {
  type Guardian,
  getStudent,
  listStudents,
  type NewGuardian,
  type StudentRow,
  updateStudent,
} from '../../client/src/index.ts'
import { dialled } from '../../src/text/phones.ts'
import { call, type Failure } from '../api/calls.ts'
import { accountOf, may } from '../session/session.ts'
import { guardianFields } from './form.ts'

/** Another child who has the same guardian, as it stands there. */
export interface Sharer {
  readonly id: number
  readonly name: string
  readonly class: string
  readonly guardian: Guardian
}

type Field = (typeof guardianFields)[number]
export type GuardianFields = Readonly<Partial<Record<Field, string | null>>>

/** What was changed of a guardian, and the children for whom the same can be changed. */
export interface SharedChange {
  readonly before: GuardianFields
  readonly changes: GuardianFields
  readonly sharers: readonly Sharer[]
}

const phoneOf = ({ phone }: GuardianFields) => dialled(phone ?? '')
const emailOf = ({ email }: GuardianFields) => (email ?? '').trim().toLowerCase()

/** Whether two entries have the same phone number or the same e-mail address. */
function isSame(one: GuardianFields, other: GuardianFields): boolean {
  const [phone, email] = [phoneOf(one), emailOf(one)]
  return (phone !== undefined && phone === phoneOf(other)) || (email !== '' && email === emailOf(other))
}

/** Where somebody stands among the guardians of another child: of several with one phone, the namesake. */
export function placeIn(guardians: readonly Guardian[], sought: GuardianFields): number {
  const namesake = guardians.findIndex((one) => isSame(one, sought) && one.name === sought.name)
  return namesake >= 0 ? namesake : guardians.findIndex((one) => isSame(one, sought))
}

/** A number that more children have is not a guardian's own. */
const mostSharers = 20

/** The other children who have a guardian with this phone number or e-mail address, as far as one may see them. */
async function sharersOf(guardian: GuardianFields, except: number): Promise<readonly Sharer[]> {
  const scope = accountOf()?.scopes.find(({ permission }) => permission === 'students.sensitive')
  const found = new Map<number, Sharer>()
  for (const sought of [phoneOf(guardian), emailOf(guardian)]) {
    if (!sought) continue
    const query = {
      guardian: sought,
      columns: 'id,name,class,guardians',
      sort: 'name' as const,
      per_page: mostSharers,
      ...(scope && { class_id: scope.class_ids }),
    }
    const came = await call(() => listStudents({ query }))
    if (came.is === 'failed') continue
    for (const { id = 0, name = '', class: label, guardians } of came.data.data as StudentRow[]) {
      const those = (guardians ?? []) as Guardian[]
      const same = those[placeIn(those, guardian)]
      if (same !== undefined && id !== except) found.set(id, { id, name, class: label ?? '', guardian: same })
    }
  }
  return [...found.values()]
}

/** For each guardian of a student, by place, the other children who share them. */
export async function sharersOfAll(
  guardians: readonly Guardian[],
  except: number,
): Promise<readonly (readonly Sharer[])[]> {
  if (!may('students.sensitive')) return []
  const all: (readonly Sharer[])[] = []
  for (const guardian of guardians) all.push(await sharersOf(guardian, except)) // one search at a time
  return all
}

/** What a form changed of guardians who stay: each is known by the name, else by the place. */
export function sharedChanges(
  before: readonly GuardianFields[],
  after: readonly GuardianFields[],
  sharers: readonly (readonly Sharer[])[],
): SharedChange[] {
  return before.flatMap((old, place) => {
    const namesake = after.find(({ name }) => name === old.name)
    const now = namesake ?? (before.length === after.length ? after[place] : undefined)
    const those = sharers[place] ?? []
    if (now === undefined || those.length === 0) return []
    const changed = guardianFields.filter((name) => (now[name] ?? null) !== (old[name] ?? null))
    if (changed.length === 0) return []
    const changes = Object.fromEntries(changed.map((name) => [name, now[name] ?? null]))
    return [{ before: old, changes, sharers: those }]
  })
}

/**
 * Makes the same change for another child, of the version that is there now.
 * @returns what failed; `changed`: what was shown of the guardian stands there no more
 */
export async function changeToo(
  { before, changes }: SharedChange,
  { id, guardian }: Sharer,
): Promise<Failure | 'changed' | undefined> {
  const came = await call(() => getStudent({ path: { id } }))
  if (came.is === 'failed') return came.failure
  const guardians = (came.data.data.guardians ?? []) as Guardian[]
  const place = placeIn(guardians, before)
  const names = Object.keys(changes) as Field[]
  if (place === -1 || names.some((name) => guardians[place]![name] !== guardian[name])) return 'changed'
  const body = {
    guardians: guardians.map((one, i) => (i === place ? ({ ...one, ...changes } as NewGuardian) : one)),
  }
  const headers = { 'If-Match': came.tag }
  const saved = await call(() => updateStudent({ path: { id }, body, headers }))
  return saved.is === 'failed' ? saved.failure : undefined
}
