import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, beforeEach, describe, it } from 'node:test'
import { hashCheaply } from '../../test/cheap-hash.ts'
import { type Answer, byTest, openSchool, type Person, password, type School } from '../../test/school.ts'
import { write } from '../events/write.ts'
import { deleteOldPairs } from './known-pairs.ts'

const day = 86_400
const schoolAddress = '192.0.2.1'

describe('who has logged in from an address before', () => {
  let school: School
  let teacher: Person
  before(async () => {
    school = await openSchool()
  })
  beforeEach(async () => {
    await write(school.db, byTest, (db) => db.deleteFrom('throttles').execute())
    teacher = await person()
  })

  /** Whose guesses are compared with little work. A login would make the hash a dear one, so that comes last. */
  async function person(): Promise<Person> {
    const person = await school.person()
    await hashCheaply(school, person)
    return person
  }

  const logIn = (email: string, from: string, typed = password) =>
    school.send('POST', '/api/auth/login', { body: { email, password: typed }, from })
  const guess = (email: string, from: string) => logIn(email, from, 'wrong password')

  async function makeKnown(person: Person, from = schoolAddress): Promise<void> {
    assert.equal((await logIn(person.email, from)).status, 200)
    await hashCheaply(school, person)
  }

  function mustWait(answer: Answer): void {
    assert.deepEqual([answer.status, answer.body.code], [429, 'too_many_attempts'])
    assert.ok(Number(answer.headers['retry-after']) >= 1)
  }

  async function setLevel(key: string, level: number): Promise<void> {
    const instant = school.now().toISOString()
    const counter = { key, level, blocked_until: instant, updated_at: instant }
    await write(school.db, byTest, async (db) => {
      await db.deleteFrom('throttles').where('key', '=', key).execute()
      await db.insertInto('throttles').values(counter).execute()
    })
  }

  /** What a pupil does to everybody at the address. */
  const useUpStrangers = (site = schoolAddress) => setLevel(`login-address:${site}`, 300)

  /** A hundred guesses at an account, from ten addresses. */
  async function guessAHundredTimes(email: string): Promise<void> {
    for (let i = 0; i < 100; i++)
      assert.equal((await guess(email, `198.51.100.${i % 10}`)).status, 401, `guess ${i + 1}`)
  }

  it('still gets in there when somebody else at the address has guessed 300 times', async () => {
    const newcomer = await person()
    await makeKnown(teacher)
    await setLevel(`login-address:${schoolAddress}`, 298)
    for (let i = 0; i < 2; i++)
      assert.equal((await guess(`pupil${i}@school.example`, schoolAddress)).status, 401)
    mustWait(await guess('nobody@school.example', schoolAddress))
    mustWait(await logIn(newcomer.email, schoolAddress))
    assert.equal((await guess(teacher.email, schoolAddress)).status, 401)
    assert.equal((await logIn(teacher.email, schoolAddress)).status, 200)
    mustWait(await logIn(newcomer.email, schoolAddress))
  })

  it('stands under the limit of its own pair all the same', async () => {
    await makeKnown(teacher)
    await useUpStrangers()
    for (let i = 0; i < 11; i++) assert.equal((await guess(teacher.email, schoolAddress)).status, 401)
    const answer = await logIn(teacher.email, schoolAddress)
    mustWait(answer)
    assert.equal(answer.headers['retry-after'], '1')
    school.passSeconds(1)
    assert.equal((await logIn(teacher.email, schoolAddress)).status, 200)
  })

  it('may fail 3 000 times in 10 minutes, over all accounts, and takes nothing from the strangers', async () => {
    await makeKnown(teacher)
    await guess(teacher.email, schoolAddress)
    await setLevel(`login-known:${schoolAddress}`, 2_999)
    assert.equal((await guess('stranger@school.example', schoolAddress)).status, 401)
    assert.equal((await guess(teacher.email, schoolAddress)).status, 401, 'the three-thousandth')
    mustWait(await guess(teacher.email, schoolAddress))
    assert.equal((await guess('stranger@school.example', schoolAddress)).status, 401)
    school.passSeconds(1)
    assert.equal((await logIn(teacher.email, schoolAddress)).status, 200)
  })

  it('is known for 90 days after its last login', async () => {
    await makeKnown(teacher)
    school.passSeconds(89 * day)
    await useUpStrangers()
    await makeKnown(teacher)
    school.passSeconds(90 * day - 1)
    await useUpStrangers()
    assert.equal((await guess(teacher.email, schoolAddress)).status, 401)
    school.passSeconds(1)
    await useUpStrangers()
    mustWait(await logIn(teacher.email, schoolAddress))
    while (await write(school.db, byTest, (db) => deleteOldPairs(db, school.now())));
    const left = await school.db.selectFrom('login_pairs').select('hash').execute()
    assert.deepEqual(left, [])
  })

  it('is known from its last 20 addresses', async () => {
    for (let i = 0; i < 21; i++) {
      await makeKnown(teacher, `203.0.113.${i}`)
      school.passSeconds(1)
    }
    for (const [i, status] of [
      [0, 429],
      [1, 200],
      [20, 200],
    ] as const) {
      await useUpStrangers(`203.0.113.${i}`)
      assert.equal((await logIn(teacher.email, `203.0.113.${i}`)).status, status, `address ${i}`)
    }
  })

  it('is another account under another e-mail address, whoever has the old one', async () => {
    const admin = await school.person('administrator')
    await makeKnown(teacher)
    const patch = (id: number, email: string) =>
      school.send('PATCH', `/api/users/${id}`, { as: admin, body: { email }, headers: { 'if-match': '*' } })
    assert.equal((await patch(teacher.id, 'moved@school.example')).status, 200)
    const heir = await person()
    assert.equal((await patch(heir.id, teacher.email)).status, 200)
    await useUpStrangers()
    mustWait(await logIn(teacher.email, schoolAddress))
    mustWait(await logIn('moved@school.example', schoolAddress))
  })

  it('is kept as a hash that a copy of the table alone does not reveal', async () => {
    await makeKnown(teacher)
    const [row] = await school.db.selectFrom('login_pairs').selectAll().execute()
    const pair = `${teacher.email}\n${schoolAddress}`
    const plain = [pair, `login pair\n${pair}`].map((text) => createHash('sha256').update(text).digest('hex'))
    assert.equal(row!.hash.length, 32)
    assert.ok(!plain.includes(Buffer.from(row!.hash).toString('hex')))
  })

  it('gets in while a hundred guesses in a row make everybody else wait', async () => {
    await makeKnown(teacher)
    await guessAHundredTimes(teacher.email)
    for (const from of ['198.51.100.0', '203.0.113.9']) mustWait(await logIn(teacher.email, from))
    assert.equal((await logIn(teacher.email, schoolAddress)).status, 200)
    assert.equal((await guess(teacher.email, '203.0.113.9')).status, 401, 'a success forgets the failures')
  })

  it('is not told from an account that does not exist by who guesses a hundred times', async () => {
    const told: unknown[] = []
    for (const email of [teacher.email, 'absent@school.example']) {
      assert.equal((await guess(email, '198.51.100.1')).status, 401)
      const counter = `login-account:${createHash('sha256').update(email).digest('base64url')}`
      await setLevel(counter, 99)
      assert.equal((await guess(email, '198.51.100.2')).status, 401, 'the hundredth')
      for (const seconds of [1, 2, 4]) {
        const { status, headers, body } = await guess(email, '203.0.113.9')
        told.push([status, headers['retry-after'], { ...body, request_id: '' }])
        school.passSeconds(seconds)
        told.push((await guess(email, '203.0.113.9')).status)
      }
    }
    assert.deepEqual(told.slice(0, 6), told.slice(6))
    assert.deepEqual([told[1], told[3], told[5]], [401, 401, 401])
  })

  it('is guessed at no more than a hundred times by a race from a hundred addresses', async () => {
    const guesses = Array.from({ length: 120 }, (_, i) => guess(teacher.email, `198.51.100.${i}`))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 401).length, 100, String(statuses))
    assert.equal(statuses.filter((status) => status === 429).length, 20)
  })

  it('is guessed at from an IPv6 site of /56 as from one address', async () => {
    await guess('one@school.example', '2001:db8:1:100::1')
    await setLevel('login-address:2001:db8:1:100::/56', 299)
    assert.equal((await guess('two@school.example', '2001:db8:1:101::1')).status, 401)
    mustWait(await guess('three@school.example', '2001:db8:1:1ff::1'))
    assert.equal((await guess('three@school.example', '2001:db8:1:200::1')).status, 401)
  })
})
