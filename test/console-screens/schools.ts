import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqlitePath } from '../../src/db/open.ts'
import { listen } from '../../src/server/listen.ts'
import { temporaryFolder } from '../cleanup.ts'
import { openSchool, type Person, type School } from '../school.ts'
import { august, longest, pupils } from './pupils.ts'

/** The schools that the console is looked at in. `new` has no administrator, `fresh` no name, `empty` no student. */
export type SchoolName = 'usual' | 'empty' | 'long' | 'fresh' | 'new'

/** Who looks: an administrator, a registrar, a viewer of one class, and an account without a role. */
export const people = {
  head: { name: 'Anna Berg', email: 'anna.berg@school.example', role: 'administrator' },
  office: { name: 'Mehmet Kaya', email: 'mehmet.kaya@school.example', role: 'registrar' },
  teacher: { name: 'Søren Lind', email: 'soeren.lind@school.example', role: 'none' },
  nobody: { name: 'Eva Roth', email: 'eva.roth@school.example', role: 'none' },
} as const
export type Who = keyof typeof people

const hour = 3600
const day = 24 * hour
const env = { HOST: 'localhost', PASSWORD_POLICY: 'strict' }

/** Sends what has to succeed. @returns the record that comes of it */
async function make(school: School, as: Person | string, method: string, url: string, body?: unknown) {
  const headers = method === 'POST' ? {} : { 'if-match': '*' }
  const answer = await school.send(method, url, { as, body, headers })
  assert.ok(answer.status < 300, answer.text)
  return answer.body.data
}

async function settle(school: School, head: Person): Promise<void> {
  const said = {
    name: 'Green Hill School',
    address: '4 Hill Lane\n12345 Greenton',
    time_zone: 'Europe/Berlin',
  }
  await make(school, head, 'PATCH', '/api/school', said)
}

/** Four weeks of a school, so that there is something to see of each kind. */
async function live(school: School, head: Person): Promise<void> {
  await settle(school, head)
  const office = await school.person('registrar', people.office)
  const teacher = await school.person('none', people.teacher)
  await school.person('none', people.nobody)
  await make(school, head, 'PUT', `/api/users/${teacher.id}/roles`, {
    roles: [{ role_id: 3, class_ids: [5] }],
  })
  const permissions = ['students.view', 'students.sensitive', 'classes.view']
  await make(school, head, 'POST', '/api/roles', { name: 'Class teacher', permissions })
  for (const field of [
    { label: 'House', kind: 'one_of', options: ['Blue', 'Red', 'Green'] },
    { label: 'Bus', kind: 'one_of', options: ['1', '2', '3'] },
    { label: 'Photo consent', kind: 'yes_no' },
    { label: 'Allergies', kind: 'text', sensitive: true },
  ])
    await make(school, head, 'POST', '/api/fields', field)
  for (const child of pupils()) await make(school, office, 'POST', '/api/students', child)
  await make(school, head, 'PATCH', '/api/classes/12', { archived: true })
  for (const list of [
    {
      name: 'Fire drill',
      filters: {},
      columns: ['family_name', 'given_name', 'class'],
      order: 'family_name',
    },
    {
      name: 'Bus 3',
      filters: { 'fields.bus': '3' },
      columns: ['name', 'class', 'fields.bus'],
      order: 'name',
    },
    { name: 'Photo day', filters: { class_id: [5] } },
  ])
    await make(school, office, 'POST', '/api/lists', list)

  await later(20 * day, office, { class_id: 4 })
  await later(6 * day, head, { class_id: 5, fields: { allergies: 'Nuts' } })
  await later(day, office, { preferred_name: 'Al', fields: { bus: '2' } }, 2)

  /** Somebody signs in again, and changes a student. */
  async function later(seconds: number, { email }: Person, body: object, id = 1): Promise<void> {
    school.passSeconds(seconds)
    const { token } = (await school.login(email)).body.data
    await make(school, token, 'PATCH', `/api/students/${id}`, body)
  }
}

async function fill(school: School, head: Person): Promise<void> {
  await settle(school, head)
  for (const field of longest.fields) await make(school, head, 'POST', '/api/fields', field)
  for (const one of longest.classes) await make(school, head, 'POST', '/api/classes', one)
  const { name, guardians } = longest
  const child = {
    name,
    admission_number: 'N'.repeat(50),
    class_id: 13,
    guardians,
    date_of_birth: '2014-03-09',
  }
  await make(school, head, 'POST', '/api/students', { ...child, notes: 'She reads a lot. '.repeat(60) })
  await make(school, head, 'POST', '/api/students', { name: 'Ali Öz', admission_number: '2', class_id: 14 })
  await make(school, head, 'POST', '/api/lists', { name: 'l'.repeat(100), filters: { class_id: [13] } })
}

const lives: Readonly<Record<SchoolName, (school: School) => Promise<void>>> = {
  new: async () => {},
  fresh: async (school) => void (await school.person('administrator', people.head)),
  empty: async (school) => {
    await settle(school, await school.person('administrator', people.head))
    await school.person('registrar', people.office)
  },
  usual: async (school) => live(school, await school.person('administrator', people.head)),
  long: async (school) => fill(school, await school.person('administrator', people.head)),
}

/** A school that listens, at half past nine on the first day of September. */
export interface OpenedSchool {
  readonly school: School
  readonly port: number
  readonly now: Date
  close(): Promise<void>
}

const made = new Map<SchoolName, Promise<string>>()

/** The file of a school's database; it is made once. */
function fileOf(name: SchoolName): Promise<string> {
  const file = made.get(name) ?? makeSchool(name)
  made.set(name, file)
  return file
}

async function makeSchool(name: SchoolName): Promise<string> {
  const school = await openSchool({ env })
  school.passSeconds(-28 * day)
  await lives[name](school)
  await school.close()
  return sqlitePath(school.databaseUrl)
}

/** Opens a school of one's own, which is like all others of that name. */
export async function openSchoolNamed(name: SchoolName): Promise<OpenedSchool> {
  const file = join(temporaryFolder(), 'school.db')
  copyFileSync(await fileOf(name), file)
  const school = await openSchool({ env, databaseUrl: `sqlite:${file}` })
  school.passSeconds(1.5 * hour)
  await school.app.console.start()
  const { port, stop } = await listen(school.app, 'localhost', 0)
  return {
    school,
    port,
    now: school.now(),
    close: async () => {
      await stop()
      await school.close()
    },
  }
}

/** A file with new, changed, doubtful and refused rows, sent by somebody. @returns the id of its import */
export async function sendAugust(school: School, as: string): Promise<number> {
  const headers = { 'content-type': 'text/csv' }
  const url = '/api/imports?file_name=Pupils%20August.csv'
  const { status, text, body } = await school.send('POST', url, { as, payload: august, headers })
  assert.equal(status, 202, text)
  return body.data.id
}
