import assert from 'node:assert/strict'
import { rolesOf } from './grants.ts'
import { persistently } from './persistently.ts'
import { openSchool, type Person, password, type School } from './school.ts'

const allOf = <Result>(count: number, work: (i: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

/** Has so many register at once at a new school, of whom one must become administrator, as the log tells. */
export async function registerAtOnce(count: number): Promise<void> {
  const school = await openSchool()
  const answers = await allOf(count, (i) =>
    persistently(() =>
      school.post('/api/auth/register', { name: 'Anna Berg', email: `n${i}@school.example`, password }),
    ),
  )
  const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.user_id)
  const roles = await Promise.all(made.map((id) => rolesOf(school, id)))
  assert.equal(made.length, count)
  assert.equal(roles.filter((held) => held.includes('administrator')).length, 1)
  assert.equal(await school.count('user_roles'), 1)
  const told = school.log.filter((line) => /account \d+ is the first administrator/.test(line))
  assert.equal(told.length, 1)
  assert.equal(JSON.parse(told[0]!).level, 'info')
}

/** Has so many change a password at once, beside as many logins: one must win, and no login outlive it. */
export async function changePasswordAtOnce(school: School, count: number, round = 0): Promise<void> {
  const person = await school.person()
  const from = (i: number) => `198.51.100.${round * 40 + i}`
  const me = async (as: Person | string) => (await school.get('/api/auth/me', as)).status
  const changes = allOf(count, (i) => {
    const body = { current_password: password, new_password: `password number ${i}` }
    return persistently(() => school.send('PUT', '/api/auth/password', { as: person, body, from: from(i) }))
  })
  const logins = allOf(count, (i) => {
    const body = { email: person.email, password }
    return persistently(() => school.send('POST', '/api/auth/login', { body, from: from(count + i) }))
  })
  const answers = await changes
  const tokens = (await logins).flatMap(({ status, body }) => (status === 200 ? [body.data.token] : []))
  const winners = answers.flatMap(({ status }, i) => (status === 200 ? [i] : []))
  assert.equal(winners.length, 1)
  for (const { status } of answers) assert.ok([200, 422].includes(status))
  for (const token of tokens) assert.equal(await me(token), 401)
  assert.equal(await me(person), 200)
  assert.equal((await school.login(person.email, `password number ${winners[0]}`)).status, 200)
}
