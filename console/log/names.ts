import { signal } from '@preact/signals'
import { type Entry, getStudent, listRoles, listUsers } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { isolated } from '../language/isolated.ts'
import { roleName } from '../parts/role-name.ts'
import { classes, may, ownFields } from '../session/session.ts'
import { texts } from './texts.ts'

type Kind = Entry['record']
type Names = ReadonlyMap<string, string>
type Called = Pick<Entry, 'record' | 'record_id' | 'changes'>

/** What records are called now, by their kind and id: the log has ids alone. */
const names = signal<Names>(new Map())

/** The students whose names were read. */
const read = new Set<number>()

const keyOf = (record: Kind, id: number) => `${record} ${id}`
const most = 1000

function add(found: Iterable<readonly [string, string]>): void {
  names.value = new Map([...names.value, ...found])
}

/** The accounts that the log can be asked about. */
export const accounts = signal<readonly { readonly id: number; readonly name: string }[]>([])

/** Forgets all names: the next reader may see others. */
export function forgetNames(): void {
  names.value = new Map()
  read.clear()
  accounts.value = []
}

/** Reads the names of accounts and roles, for who may see them. */
export async function loadNames(): Promise<void> {
  const query = { per_page: most }
  const [users, roles] = await Promise.all([
    may('users.view') ? call(() => listUsers({ query })) : undefined,
    may('roles.manage') ? call(() => listRoles({ query })) : undefined,
  ])
  if (users?.is === 'done') {
    accounts.value = users.data.data
    add(users.data.data.map(({ id, name }) => [keyOf('account', id), name] as const))
  }
  if (roles?.is === 'done')
    add(roles.data.data.map(({ id, name }) => [keyOf('role', id), roleName(name)] as const))
}

/** What an entry itself tells of a record's name. */
function toldName({ changes }: Pick<Entry, 'changes'>): string | undefined {
  const told = changes.find(({ field }) => field === 'name' || field === 'label')
  const text = told?.to ?? told?.from
  return typeof text === 'string' ? text : undefined
}

/** Learns what the records of these entries are called; the names of students are read. */
export async function learnNames(entries: readonly Entry[]): Promise<void> {
  const told = entries.flatMap((entry) => {
    const [key, name] = [keyOf(entry.record, entry.record_id), toldName(entry)]
    return name === undefined || names.value.has(key) ? [] : [[key, name] as const]
  })
  add(told.reverse()) // the newest name stands last, and stays
  await loadStudents(entries)
}

/** The students whom an entry is about: of a double, both. */
function studentsOf({ record, record_id, changes }: Called): readonly number[] {
  if (record === 'student') return [record_id]
  const other = changes.find(({ field }) => field === 'other')
  return record === 'double' && other ? [record_id, Number(other.to ?? other.from)] : []
}

/** Reads the names of the students of these entries. */
async function loadStudents(entries: readonly Entry[]): Promise<void> {
  if (!may('students.view')) return
  const ids = new Set(entries.flatMap(studentsOf))
  const unknown = [...ids].filter((id) => !read.has(id))
  for (const id of unknown) read.add(id)
  const found = await Promise.all(
    unknown.map(async (id) => {
      const came = await call(() => getStudent({ path: { id } }))
      return came.is === 'done' ? ([keyOf('student', id), came.data.data.name] as const) : undefined
    }),
  )
  add(found.filter((one) => one !== undefined))
}

/** What a record is called: now, else by what the entry itself tells of it. */
export function nameOf(entry: Called): string {
  const { record, record_id } = entry
  if (record === 'double') {
    const both = studentsOf(entry).map((id) => names.value.get(keyOf('student', id)) ?? `${id}`)
    return both.map(isolated).join(' · ')
  }
  const now =
    (record === 'class' ? classes.value.find(({ id }) => id === record_id)?.label : undefined) ??
    (record === 'field' ? ownFields.value.find(({ id }) => id === record_id)?.label : undefined) ??
    names.value.get(keyOf(record, record_id))
  return now ?? toldName(entry) ?? ''
}

/** `Student Zoë Müller`, or `Student 42` where the name is not known. */
export function calledOf(entry: Called): string {
  const kind = texts().records[entry.record]
  if (entry.record === 'school') return kind
  return `${kind} ${nameOf(entry) || entry.record_id}`
}
