import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { openSchool, password, type School } from '../../test/school.ts'
import { builtInRoles } from '../access/permissions.ts'
import { write } from '../events/write.ts'

const anna = { name: 'Anna Berg', email: 'anna@school.example', password }
const register = (school: School, body: unknown) => school.post('/api/auth/register', body)

const account = (school: School, id: number) =>
  school.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('POST /api/auth/register', () => {
  let school: School
  let people = 0
  const fresh = (fields: object = {}) => ({ ...anna, email: `new${++people}@school.example`, ...fields })
  before(async () => {
    school = await openSchool({ env: { FIRST_ADMIN: 'off' } })
  })

  async function refused(body: unknown, faults: Record<string, string>): Promise<void> {
    const before = await school.count('users')
    const answer = await register(school, body)
    assert.equal(answer.status, 422, answer.text)
    assert.equal(answer.body.code, 'validation_failed')
    const told = answer.body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])
    assert.deepEqual(Object.fromEntries(told), faults)
    assert.equal(await school.count('users'), before, 'nothing was stored')
  }

  it('makes an account that can log in, and answers its id alone', async () => {
    const body = fresh()
    const answer = await register(school, body)
    assert.equal(answer.status, 201)
    const id = answer.body.data.user_id
    assert.deepEqual(answer.body, { success: true, data: { user_id: id } })
    assert.ok(Number.isSafeInteger(id) && id > 0)
    const loggedIn = await school.login(body.email)
    assert.equal(loggedIn.body.data.user.id, id)
  })

  it('stores the password as an Argon2id hash of at least 19 MiB and two passes, and nowhere else', async () => {
    const { body } = await register(school, fresh())
    const stored = await account(school, body.data.user_id)
    const hash = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$[\w+/]{22,}\$[\w+/]{43}$/.exec(stored.password_hash)
    assert.ok(hash && Number(hash[1]) >= 19_456 && Number(hash[2]) >= 2, stored.password_hash)
    assert.ok(!JSON.stringify(stored).includes(password))
    const other = await account(school, (await register(school, fresh())).body.data.user_id)
    assert.notEqual(other.password_hash, stored.password_hash, 'each hash has its own salt')
  })

  describe('stores what people write in one form', () => {
    const stored: [what: string, fields: object, column: 'name' | 'email', value: string][] = [
      ['outer space of a name', { name: '  Zoë \n' }, 'name', 'Zoë'],
      ['a decomposed name', { name: 'Zoe\u0308' }, 'name', 'Zo\u00eb'],
      ['an apostrophe', { name: "Sinéad O'Brien" }, 'name', "Sinéad O'Brien"],
      ['joiners that a script needs', { name: 'نگار\u200cخانه' }, 'name', 'نگار\u200cخانه'],
      ['an emoji of several characters', { name: '👩‍🏫' }, 'name', '👩‍🏫'],
      ['a name of one character', { name: '李' }, 'name', '李'],
      ['a name of 255 characters outside the BMP', { name: '𝒜'.repeat(255) }, 'name', '𝒜'.repeat(255)],
      [
        'capitals in an address',
        { email: 'Mixed.Case@School.Example' },
        'email',
        'mixed.case@school.example',
      ],
      ['outer space of an address', { email: '\t space@school.example ' }, 'email', 'space@school.example'],
      ['a host without a dot', { email: 'head@localhost' }, 'email', 'head@localhost'],
      ['a tagged address', { email: 'a+b.c_d-e@school.example' }, 'email', 'a+b.c_d-e@school.example'],
      [
        'every sign that HTML takes',
        { email: "!#$%&'*+/=?^_`{|}~-@x.example" },
        'email',
        "!#$%&'*+/=?^_`{|}~-@x.example",
      ],
      [
        'an address of 254 characters',
        { email: `${'a'.repeat(241)}@school.examp` },
        'email',
        `${'a'.repeat(241)}@school.examp`,
      ],
    ]
    for (const [what, fields, column, value] of stored) {
      it(what, async () => {
        const answer = await register(school, fresh(fields))
        assert.equal(answer.status, 201, answer.text)
        assert.equal((await account(school, answer.body.data.user_id))[column], value)
      })
    }
  })

  describe('refuses a field that is wrong, names it, and stores nothing', () => {
    const cases: [what: string, fields: object, faults: Record<string, string>][] = [
      ['no name', { name: undefined }, { '/name': 'required' }],
      ['an empty name', { name: '' }, { '/name': 'too_short' }],
      ['a name of spaces', { name: ' \u00a0\u3000 ' }, { '/name': 'too_short' }],
      ['a name of 256 characters', { name: '𝒜'.repeat(256) }, { '/name': 'too_long' }],
      ['a NUL in a name', { name: 'a\0b' }, { '/name': 'invalid_format' }],
      ['a line break in a name', { name: 'a\nb' }, { '/name': 'invalid_format' }],
      ['a C1 control in a name', { name: 'a\u0085b' }, { '/name': 'invalid_format' }],
      ['a right-to-left override in a name', { name: 'a\u202eb' }, { '/name': 'invalid_format' }],
      ['a bidi isolate in a name', { name: 'a\u2066b' }, { '/name': 'invalid_format' }],
      ['a noncharacter in a name', { name: 'a\ufffeb' }, { '/name': 'invalid_format' }],
      ['a lone surrogate in a name', { name: 'a\ud800b' }, { '/name': 'invalid_format' }],
      ['a number for a name', { name: 7 }, { '/name': 'wrong_type' }],
      ['null for a name', { name: null }, { '/name': 'wrong_type' }],
      ['an array for a name', { name: ['Anna'] }, { '/name': 'wrong_type' }],
      ['no e-mail address', { email: undefined }, { '/email': 'required' }],
      ['an e-mail address of spaces', { email: '   ' }, { '/email': 'too_short' }],
      ['no @', { email: 'anna.school.example' }, { '/email': 'invalid_format' }],
      ['two @', { email: 'anna@b@school.example' }, { '/email': 'invalid_format' }],
      ['nothing before the @', { email: '@school.example' }, { '/email': 'invalid_format' }],
      ['no host', { email: 'anna@' }, { '/email': 'invalid_format' }],
      ['a host that ends in a dot', { email: 'anna@school.example.' }, { '/email': 'invalid_format' }],
      [
        'a host label that begins with a hyphen',
        { email: 'anna@-school.example' },
        { '/email': 'invalid_format' },
      ],
      [
        'a host label of 64 characters',
        { email: `anna@${'a'.repeat(64)}.example` },
        { '/email': 'invalid_format' },
      ],
      ['a space inside an address', { email: 'an na@school.example' }, { '/email': 'invalid_format' }],
      ['a display name', { email: 'Anna <anna@school.example>' }, { '/email': 'invalid_format' }],
      [
        'a line break in an address',
        { email: 'anna@school.example\nbcc: x@y.z' },
        { '/email': 'invalid_format' },
      ],
      ['a Cyrillic а in an address', { email: '\u0430nna@school.example' }, { '/email': 'invalid_format' }],
      [
        'a fullwidth letter in an address',
        { email: '\uff41nna@school.example' },
        { '/email': 'invalid_format' },
      ],
      [
        'a Kelvin sign, whose lower case is k',
        { email: '\u212aate@school.example' },
        { '/email': 'invalid_format' },
      ],
      [
        'a dotted capital İ in an address',
        { email: '\u0130da@school.example' },
        { '/email': 'invalid_format' },
      ],
      ['an international host', { email: 'anna@schüle.example' }, { '/email': 'invalid_format' }],
      [
        'an address of 255 characters',
        { email: `${'a'.repeat(242)}@school.examp` },
        { '/email': 'too_long' },
      ],
      ['an object for an address', { email: { $ne: null } }, { '/email': 'wrong_type' }],
      ['no password', { password: undefined }, { '/password': 'required' }],
      ['a password of 7 characters', { password: '1234567' }, { '/password': 'too_short' }],
      ['a password of 7 emoji', { password: '🐙'.repeat(7) }, { '/password': 'too_short' }],
      [
        'a password of 7 characters, decomposed into 14',
        { password: 'e\u0301'.repeat(7) },
        { '/password': 'too_short' },
      ],
      ['a password of 257 characters', { password: 'x'.repeat(257) }, { '/password': 'too_long' }],
      ['a password of 257 emoji', { password: '🐙'.repeat(257) }, { '/password': 'too_long' }],
      ['a number for a password', { password: 12_345_678 }, { '/password': 'wrong_type' }],
      ['an array for a password', { password: ['a long enough password'] }, { '/password': 'wrong_type' }],
      [
        'a lone surrogate in a password',
        { password: `long enough \ud800` },
        { '/password': 'invalid_format' },
      ],
      ['a role', { role: 'administrator' }, { '/role': 'unknown_member' }],
      ['roles', { roles: ['administrator'] }, { '/roles': 'unknown_member' }],
      ['permissions', { permissions: ['students.view'] }, { '/permissions': 'unknown_member' }],
      ['is_admin', { is_admin: true }, { '/is_admin': 'unknown_member' }],
      ['an id', { id: 1 }, { '/id': 'unknown_member' }],
      [
        '__proto__',
        JSON.parse('{"__proto__": {"role": "administrator"}}'),
        { '/__proto__': 'unknown_member' },
      ],
      [
        'everything at once',
        { name: '', email: 'x', password: 'y', admin: 1 },
        {
          '/name': 'too_short',
          '/email': 'too_short',
          '/password': 'too_short',
          '/admin': 'unknown_member',
        },
      ],
    ]
    for (const [what, fields, faults] of cases) {
      it(what, async () => {
        const own = Object.getOwnPropertyDescriptors(fields) // keeps a member called __proto__
        await refused(Object.defineProperties(fresh(), own), faults)
      })
    }
  })

  describe('takes any password of 8 to 256 characters', () => {
    const passwords: [what: string, password: string][] = [
      ['8 characters', '12345678'],
      ['256 characters', 'x'.repeat(256)],
      ['256 emoji', '🐙'.repeat(256)],
      ['256 characters that arrive decomposed', 'e\u0301'.repeat(256)],
      ['one letter eight times: no composition rules', 'aaaaaaaa'],
      ['spaces alone, kept as they are', '         '],
      ['a control character', 'tab\tand\u0000nul'],
      ['a common one, since the policy is basic', 'password'],
    ]
    for (const [what, password] of passwords) {
      it(what, async () => {
        const body = fresh({ password })
        assert.equal((await register(school, body)).status, 201)
        assert.equal((await school.login(body.email, password)).status, 200)
        assert.equal((await school.login(body.email, `${password} `)).status, 401)
      })
    }
  })

  it('answers 409 for a taken address, however it is written, and leaves the account alone', async () => {
    const body = fresh({ email: 'taken@school.example' })
    const { data } = (await register(school, body)).body
    const { token } = (await school.login(body.email)).body.data
    const before = JSON.stringify([await account(school, data.user_id), await school.count('users')])
    for (const email of [
      'taken@school.example',
      'TAKEN@SCHOOL.EXAMPLE',
      ' Taken@School.example ',
      '\ttaken@school.example\n',
    ]) {
      const answer = await register(school, { name: 'Other', email, password: 'another password' })
      assert.equal(answer.status, 409)
      assert.equal(answer.body.code, 'email_taken')
      assert.equal(answer.body.errors[0].pointer, '/email')
    }
    assert.equal(JSON.stringify([await account(school, data.user_id), await school.count('users')]), before)
    assert.equal((await school.get('/api/auth/me', token)).status, 200, 'its session lives on')
    assert.equal((await school.login('taken@school.example', 'another password')).status, 401)
  })

  it('gives ids that are never used again', async () => {
    const { data } = (await register(school, fresh())).body
    await write(school.db, {}, (db) => db.deleteFrom('users').where('id', '=', data.user_id).execute())
    assert.ok((await register(school, fresh())).body.data.user_id > data.user_id)
  })
})

describe('the strict password policy', () => {
  let school: School
  before(async () => {
    school = await openSchool({ env: { PASSWORD_POLICY: 'strict' } })
  })
  const owner = { name: 'Anna Bergmann', email: 'anna.bergmann@school.example' }

  const refusals: [what: string, password: string, code: string, reason: RegExp][] = [
    ['14 characters', '14 characters!', 'too_short', /at least 15/],
    ['a common one', 'passwordpassword', 'common_password', /most common/],
    [
      'a common one with signs, capitals and digits',
      'Correct-Horse Battery staple 1',
      'common_password',
      /most common/,
    ],
    ['one piece repeated', 'xkcdxkcdxkcdxkcd', 'common_password', /most common/],
    ['a run of the alphabet', 'abcdefghijklmnop', 'common_password', /most common/],
    ['signs alone', '!!!!!!!!!!!!!!!!', 'common_password', /most common/],
    ['the e-mail address', 'Anna.Bergmann@School.Example', 'guessable_password', /e-mail address/],
    ['what stands before the @, padded', 'annabergmann123!', 'guessable_password', /e-mail address|the name/],
    ['the name', 'Bergmann-school!', 'guessable_password', /the name|e-mail address/],
    ['the service', 'Registrar-Registrar', 'guessable_password', /service/],
    ['the service with a year', 'registrar202600', 'guessable_password', /service/],
  ]
  for (const [what, password, code, reason] of refusals) {
    it(`refuses ${what}, and says why`, async () => {
      const answer = await register(school, { ...owner, password })
      assert.equal(answer.status, 422, answer.text)
      const [fault] = answer.body.errors
      assert.deepEqual([fault.pointer, fault.code], ['/password', code])
      assert.match(fault.detail, reason)
      assert.ok(!answer.text.includes(password))
      assert.equal(await school.count('users'), 0)
    })
  }

  it('takes 15 characters of any kind: no composition rules', async () => {
    for (const [i, password] of [
      'plum violin fern',
      'kuchenmitsahnee',
      '🐙🦑🦐🦞🦀🐡🐠🐟🐬🐳🐋🦈🐊🐅🐆',
    ].entries()) {
      const answer = await register(school, { ...owner, email: `strict${i}@school.example`, password })
      assert.equal(answer.status, 201, answer.text)
    }
  })

  it('does not apply at login', async () => {
    const { email } = await school.person()
    const answer = await school.login(email, 'short')
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_credentials'])
  })
})

describe('registration settings', () => {
  let closed: School
  before(async () => {
    closed = await openSchool({ env: { REGISTRATION: 'closed' } })
  })

  it('REGISTRATION=closed refuses everyone before their body is read, and stores nothing', async () => {
    for (const body of [anna, {}, null]) {
      const answer = await register(closed, body)
      assert.deepEqual([answer.status, answer.body.code], [403, 'registration_closed'])
      assert.match(answer.body.detail, /administrator/)
    }
    assert.equal(await closed.count('users'), 0)
  })

  it('REGISTRATION=closed leaves POST /api/users open to who holds users.manage, as settings.md says', async () => {
    const head = await closed.person('administrator')
    assert.equal((await closed.post('/api/users', anna, head)).status, 201)
    assert.equal((await closed.login(anna.email)).status, 200)
  })

  for (const role of ['none', 'viewer', 'registrar'] as const) {
    const permissions = role === 'none' ? [] : [...builtInRoles[role]].sort()
    it(`DEFAULT_ROLE=${role} gives a new account ${permissions.join(', ') || 'no permission'}`, async () => {
      const school = await openSchool({ env: { DEFAULT_ROLE: role, FIRST_ADMIN: 'off' } })
      await register(school, anna)
      const { token } = (await school.login(anna.email)).body.data
      const { data } = (await school.get('/api/auth/me', token)).body
      assert.deepEqual(data.roles, role === 'none' ? [] : [role])
      assert.deepEqual(data.permissions, permissions)
    })
  }
})

describe('the limit on registrations', () => {
  let school: School
  let narrow: School
  before(async () => {
    school = await openSchool()
    narrow = await openSchool({ env: { REGISTRATION_LIMIT: '1' } })
  })
  beforeEach(async () => {
    for (const { db } of [school, narrow])
      await write(db, {}, async (db) => {
        for (const table of ['user_roles', 'throttles', 'users'] as const)
          await db.deleteFrom(table).execute()
      })
  })

  const address = '203.0.113.7'
  const from = (school: School, number: number, peer = address) =>
    school.send('POST', '/api/auth/register', {
      body: { ...anna, email: `n${number}@school.example` },
      from: peer,
    })

  async function nearTheLimit(school: School, level: number): Promise<void> {
    assert.equal((await from(school, 0)).status, 201)
    await setLevel(school, `register:${address}`, level)
  }
  const setLevel = (school: School, key: string, level: number) =>
    write(school.db, {}, (db) => db.updateTable('throttles').set({ level }).where('key', '=', key).execute())
  const levelOf = async (school: School, key: string) => {
    const found = await school.db.selectFrom('throttles').select('level').where('key', '=', key).execute()
    return found[0]!.level
  }

  it('is 300 an hour from an address, then one more every 12 s', async () => {
    await nearTheLimit(school, 299)
    assert.equal((await from(school, 1)).status, 201, 'the three-hundredth')
    const refused = await from(school, 2)
    assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_attempts'])
    assert.equal(refused.headers['retry-after'], '12')
    assert.equal((await from(school, 2, '203.0.113.8')).status, 201, 'another address is not concerned')
    school.passSeconds(11)
    assert.equal((await from(school, 3)).status, 429)
    school.passSeconds(1)
    assert.equal((await from(school, 3)).status, 201)
    assert.equal((await from(school, 4)).status, 429)
    school.passSeconds(3600)
    assert.equal((await levelOf(school, `register:${address}`)) > 299, true, 'a refusal changes nothing')
    for (let i = 4; i < 7; i++) assert.equal((await from(school, i)).status, 201)
  })

  it('is 3 000 an hour from all addresses', async () => {
    await nearTheLimit(school, 1)
    await setLevel(school, 'register', 2_999)
    assert.equal((await from(school, 1, '203.0.113.1')).status, 201)
    const refused = await from(school, 2, '203.0.113.2')
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '2'])
    school.passSeconds(2)
    assert.equal((await from(school, 2, '203.0.113.3')).status, 201)
  })

  it('is what REGISTRATION_LIMIT says, and ten times that in all', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await from(narrow, i, `203.0.113.${i}`)).status)
    assert.deepEqual(statuses, [...Array(10).fill(201), 429])
    const another = await openSchool({ env: { REGISTRATION_LIMIT: '2' } })
    for (const [i, status] of [201, 201, 429].entries()) assert.equal((await from(another, i)).status, status)
  })

  it('takes an IPv6 site of /56 for one address', async () => {
    assert.equal((await from(narrow, 1, '2001:db8:1:100::1')).status, 201)
    assert.equal((await from(narrow, 2, '2001:db8:1:1ff::1')).status, 429)
    assert.equal((await from(narrow, 2, '2001:db8:1:200::1')).status, 201)
  })

  it('counts who asks for a taken address, and not who gets a field wrong', async () => {
    await nearTheLimit(school, 296)
    assert.equal(
      (await school.send('POST', '/api/auth/register', { body: { ...anna, name: '' }, from: address }))
        .status,
      422,
    )
    for (let i = 0; i < 3; i++) assert.equal((await from(school, 0)).status, 409)
    assert.equal((await from(school, 1)).status, 201)
    for (const number of [0, 2]) assert.equal((await from(school, number)).status, 429)
    assert.equal(await school.count('users'), 2)
  })

  it('holds when the last places are raced for', async () => {
    await nearTheLimit(school, 295)
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => from(school, i + 1)))
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 201).length, 5, String(statuses))
    assert.equal(statuses.filter((status) => status === 429).length, 11)
    assert.equal(await school.count('users'), 6)
  })

  it('locks nobody out when the clock is set back', async () => {
    school.passSeconds(10 * 365 * 86_400)
    await nearTheLimit(school, 300)
    assert.equal((await from(school, 1)).status, 429)
    school.passSeconds(-10 * 365 * 86_400)
    assert.equal((await from(school, 1)).status, 201)
  })
})
