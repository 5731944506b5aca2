import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { noDetails } from '../../test/no-details.ts'
import { type Answer, openSchool, type Person, type School } from '../../test/school.ts'

/** What is wrong, as `pointer code`, in order. */
function faultsOf({ body }: Answer): string[] {
  return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
}

describe('POST /api/students', () => {
  let school: School
  let registrar: Person
  let lastNumber = 0
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const create = (given: object) =>
    school.post(
      '/api/students',
      { name: 'Ada', admission_number: `c-${++lastNumber}`, class_id: 1, ...given },
      registrar,
    )

  /** Creates, and reads what was stored. */
  async function stored(given: object) {
    const answer = await create(given)
    assert.equal(answer.status, 201, answer.text)
    return (await school.get(`/api/students/${answer.body.data.id}`, registrar)).body.data
  }

  /** The answer is a 422 with these faults, and nothing was written. */
  async function assertRefused(send: () => Promise<Answer>, faults: string[]): Promise<Answer> {
    const before = await school.count('students')
    const answer = await send()
    assert.equal(answer.status, 422, answer.text)
    assert.equal(answer.body.code, 'validation_failed')
    assert.deepEqual(faultsOf(answer), faults)
    assert.equal(await school.count('students'), before)
    return answer
  }

  it('creates a student and says where it is', async () => {
    const answer = await create({ name: 'Zoë Müller', admission_number: 'A-1', class_id: 3 })
    assert.equal(answer.status, 201)
    const { id } = answer.body.data
    assert.deepEqual(answer.body, { success: true, data: { id } })
    assert.equal(answer.headers.location, `/api/students/${id}`)
    const read = await school.get(`/api/students/${id}`, registrar)
    assert.deepEqual(read.body, {
      success: true,
      data: {
        id,
        name: 'Zoë Müller',
        admission_number: 'A-1',
        class_id: 3,
        class: 'Class 3',
        ...noDetails,
      },
    })
  })

  it('gives each student an id of its own, counted up', async () => {
    const ids = []
    for (let i = 0; i < 3; i++) ids.push((await create({})).body.data.id)
    assert.deepEqual(ids, [ids[0], ids[0] + 1, ids[0] + 2])
  })

  it('finds the twelve classes of a fresh platform', async () => {
    for (let class_id = 1; class_id <= 12; class_id++) {
      assert.equal((await stored({ class_id })).class, `Class ${class_id}`)
    }
  })

  const family = '👨‍👩‍👧‍👦'
  const kept: [what: string, sent: string, stored: string][] = [
    ['trims spaces of every kind', ' \t\n\u00a0\u3000\ufeffZoë \r\n', 'Zoë'],
    ['composes marks (NFC)', 'Zoe\u0308', 'Zoë'],
    ['composes Hangul', '\u1112\u1161\u11ab', '한'],
    ['keeps inner spaces', 'Anna  Maria', 'Anna  Maria'],
    ['keeps apostrophes', "O'Brien D’Arcy", "O'Brien D’Arcy"],
    ['keeps ZWNJ', 'نگار\u200cنژاد', 'نگار\u200cنژاد'],
    ['keeps ZWJ', 'ශ්\u200dරී', 'ශ්\u200dරී'],
    ['keeps marks that have no composed form', 'A̱ya x̌', 'A̱ya x̌'],
    ['keeps harakat', 'مُحَمَّد', 'مُحَمَّد'],
    ['keeps emoji', family, family],
    ['keeps characters beyond the BMP', '𠮷田', '𠮷田'],
    ['keeps HTML as text', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['keeps formulas as text', '=HYPERLINK("x")', '=HYPERLINK("x")'],
    ['keeps SQL as text', "'; drop table students; --", "'; drop table students; --"],
    ['keeps backslashes, %, _ and quotes', '\\ % _ "', '\\ % _ "'],
    ['takes one character', '李', '李'],
  ]
  for (const [what, sent, expected] of kept) {
    it(`${what} in names`, async () => assert.equal((await stored({ name: sent })).name, expected))
  }

  it('counts a name in characters: 255 of them fit, emoji or not, and 256 do not', async () => {
    for (const character of ['a', '李', '𠮷', '🎓']) {
      assert.equal((await stored({ name: character.repeat(255) })).name, character.repeat(255))
      await assertRefused(() => create({ name: character.repeat(256) }), ['/name too_long'])
    }
    assert.equal((await stored({ name: ` ${'a'.repeat(255)} ` })).name.length, 255)
    assert.equal((await stored({ name: 'e\u0308'.repeat(255) })).name, 'ë'.repeat(255))
  })

  it('counts an admission number in characters: 50 fit, and 51 do not', async () => {
    assert.equal((await stored({ admission_number: '𠮷'.repeat(50) })).admission_number, '𠮷'.repeat(50))
    assert.equal((await stored({ admission_number: ` ${'7'.repeat(50)} ` })).admission_number, '7'.repeat(50))
    await assertRefused(() => create({ admission_number: '8'.repeat(51) }), ['/admission_number too_long'])
  })

  const unprintable: [what: string, text: string][] = [
    ['NUL', 'A\u0000B'],
    ['a line break', 'A\nB'],
    ['a tab', 'A\tB'],
    ['escape', 'A\u001b[31mB'],
    ['delete', 'A\u007fB'],
    ['a C1 control', 'A\u0085B'],
    ['a line separator', 'A\u2028B'],
    ['a right-to-left override', 'A\u202eB'],
    ['a left-to-right embedding', 'A\u202aB'],
    ['a bidi isolate', 'A\u2066B\u2069'],
    ['a right-to-left mark', 'A\u200fB'],
    ['an Arabic letter mark', 'A\u061cB'],
    ['the noncharacter U+FFFE', 'A\ufffeB'],
    ['the noncharacter U+FDD0', 'A\ufdd0B'],
    ['the noncharacter U+1FFFF', 'A\u{1ffff}B'],
    ['a lone high surrogate', 'A\ud83dB'],
    ['a lone low surrogate', 'A\udc00'],
    ['surrogates in the wrong order', '\udc00\ud83d'],
  ]
  for (const [what, text] of unprintable) {
    it(`refuses ${what} in names and admission numbers`, async () => {
      await assertRefused(
        () => create({ name: text, admission_number: text }),
        ['/name invalid_format', '/admission_number invalid_format'],
      )
    })
  }

  const bad: [what: string, given: object, faults: string[]][] = [
    ['an empty name', { name: '' }, ['/name too_short']],
    ['a name of spaces', { name: ' \u3000\t ' }, ['/name too_short']],
    ['an empty admission number', { admission_number: '  ' }, ['/admission_number too_short']],
    ['no name', { name: undefined }, ['/name required']],
    ['no admission number', { admission_number: undefined }, ['/admission_number required']],
    ['no class', { class_id: undefined }, ['/class_id required']],
    ['null for a name', { name: null }, ['/name wrong_type']],
    ['a number for a name', { name: 5 }, ['/name wrong_type']],
    ['true for a name', { name: true }, ['/name wrong_type']],
    ['an array for a name', { name: ['Ada'] }, ['/name wrong_type']],
    ['an object for a name', { name: { $gt: '' } }, ['/name wrong_type']],
    ['a number for an admission number', { admission_number: 7 }, ['/admission_number wrong_type']],
    ['null for a class', { class_id: null }, ['/class_id wrong_type']],
    ['text for a class', { class_id: '1' }, ['/class_id wrong_type']],
    ['half a class', { class_id: 1.5 }, ['/class_id wrong_type']],
    ['true for a class', { class_id: true }, ['/class_id wrong_type']],
    ['a list for a class', { class_id: [1] }, ['/class_id wrong_type']],
    ['class 0', { class_id: 0 }, ['/class_id out_of_range']],
    ['class -1', { class_id: -1 }, ['/class_id out_of_range']],
    ['a class beyond 2^53', { class_id: 2 ** 53 }, ['/class_id out_of_range']],
    ['a class of 1e300', { class_id: 1e300 }, ['/class_id out_of_range']],
    ['a class that does not exist', { class_id: 13 }, ['/class_id unknown_class']],
    ['the largest id as a class', { class_id: 2 ** 53 - 1 }, ['/class_id unknown_class']],
    ['an id of its own', { id: 7 }, ['/id unknown_member']],
    ['a class label', { class: 'Class 1' }, ['/class unknown_member']],
    ['a member in another case', { Name: 'Ada' }, ['/Name unknown_member']],
    ['a member named constructor', { constructor: {} }, ['/constructor unknown_member']],
    ['a member with a slash and a tilde', { 'a/b~c': 1 }, ['/a~1b~0c unknown_member']],
    ['a member with no name', { '': 1 }, ['/ unknown_member']],
  ]
  for (const [what, given, faults] of bad) {
    it(`refuses ${what}, and creates nothing`, async () => {
      await assertRefused(() => create(given), faults)
    })
  }

  it('takes 5.0 for 5, and 1e0 for 1: to JSON they are the same', async () => {
    for (const [written, id] of [
      ['5.0', 5],
      ['1e0', 1],
    ]) {
      const payload = `{"name":"Ada","admission_number":"f-${written}","class_id":${written}}`
      const answer = await school.send('POST', '/api/students', {
        as: registrar,
        payload,
        headers: { 'content-type': 'application/json' },
      })
      assert.equal(answer.status, 201)
      const read = await school.get(String(answer.headers.location), registrar)
      assert.equal(read.body.data.class_id, id)
    }
  })

  it('names every bad field at once, and says what would be right without echoing what was sent', async () => {
    const sent = {
      name: 'secret\u0000',
      admission_number: ['secret'],
      class_id: 'secret',
      nickname: 'secret',
    }
    const answer = await assertRefused(
      () => create(sent),
      [
        '/nickname unknown_member',
        '/name invalid_format',
        '/admission_number wrong_type',
        '/class_id wrong_type',
      ],
    )
    assert.match(
      answer.body.errors[0].detail,
      /accepted are: name, admission_number, class_id, identifiers, preferred_name, .*notes, fields$/,
    )
    for (const { pointer } of answer.body.errors) assert.ok(answer.body.detail.includes(pointer))
    assert.doesNotMatch(answer.text, /secret/)
  })

  it('names at once what no schema tells: class, birth, identifiers, others and own fields', async () => {
    const two = [
      { system: 'sis', value: '1' },
      { system: 'SIS', value: '1' },
    ]
    const given = {
      name: 'Ada',
      admission_number: 'c-many',
      class_id: 99,
      date_of_birth: '2099-01-01',
      identifiers: two,
      fields: { nothing: 1 },
    }
    const send = (given: object, query: string) => () =>
      school.post(`/api/students${query}`, given, registrar)
    const all = [
      '/date_of_birth in_future',
      '/identifiers/1 duplicate',
      '/other_than invalid',
      '/fields/nothing unknown_member',
      '/class_id unknown_class',
    ]
    await assertRefused(send(given, '?other_than=x'), all)
    const { name: _, ...parted } = { ...given, given_name: 'x'.repeat(200), family_name: 'y'.repeat(200) }
    const unknown = ['/name too_long', ...all.with(2, '/other_than unknown_student')]
    await assertRefused(send(parted, '?other_than=999999'), unknown)
  })

  it('says how to list the classes when there is no such class', async () => {
    const answer = await assertRefused(() => create({ class_id: 99 }), ['/class_id unknown_class'])
    assert.match(answer.body.errors[0].detail, /GET \/api\/classes .*\.\/registrar\.js class list/)
    assert.equal(answer.body.detail, `/class_id ${answer.body.errors[0].detail}.`)
  })

  it('tells of the first hundred of a thousand bad members in errors, of ten in the sentence, and how many more there are', async () => {
    const before = await school.count('students')
    const members = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`member${i}`, i]))
    const answer = await create(members)
    assert.equal(answer.status, 422)
    assert.equal(answer.body.errors.length, 100)
    assert.match(answer.body.detail, /and 990 more, errors lists the first 100\.$/)
    const hundred = await create(Object.fromEntries(Object.entries(members).slice(0, 100)))
    assert.equal(hundred.body.errors.length, 100)
    assert.match(hundred.body.detail, /and 90 more, which errors lists\.$/)
    assert.equal(await school.count('students'), before)
  })

  const duplicates: [what: string, first: string, second: string][] = [
    ['the same', 'Dup-1', 'Dup-1'],
    ['the same in another case', 'Dup-2x', 'dUP-2X'],
    ['the same in another case of other letters', 'ÄÖ-3я', 'äö-3Я'],
    ['the same in another composition', 'Zoe\u0308-4', 'Zoë-4'],
    ['the same between spaces', 'Dup-5', '  Dup-5 '],
    ['the same with ß written ss in capitals', 'Straße-6', 'STRASSE-6'],
    ['the same with ß written as a capital', 'Straße-8', 'STRAẞE-8'],
  ]
  for (const [what, first, second] of duplicates) {
    it(`refuses an admission number that is ${what} as another student's, and creates nothing`, async () => {
      await stored({ admission_number: first })
      const before = await school.count('students')
      const answer = await create({ admission_number: second })
      assert.equal(answer.status, 409)
      assert.equal(answer.body.code, 'admission_number_taken')
      assert.deepEqual(faultsOf(answer), ['/admission_number taken'])
      assert.equal(await school.count('students'), before)
    })
  }

  it('keeps numbers apart that differ in accents or zeros', async () => {
    for (const number of ['Ea-7', 'Éa-7', '07', '7', '007']) await stored({ admission_number: number })
  })

  it('tells of an unknown class before it tells of a taken number', async () => {
    await stored({ admission_number: 'both-1' })
    await assertRefused(
      () => create({ admission_number: 'BOTH-1', class_id: 99 }),
      ['/class_id unknown_class'],
    )
  })

  it('lets many students have one name', async () => {
    const first = await stored({ name: 'Li Wei' })
    const second = await stored({ name: 'Li Wei' })
    assert.notEqual(first.id, second.id)
  })

  it('takes an admission number again after a refusal for another reason', async () => {
    await assertRefused(
      () => create({ admission_number: 'again-1', class_id: 99 }),
      ['/class_id unknown_class'],
    )
    assert.equal((await stored({ admission_number: 'again-1' })).admission_number, 'again-1')
  })

  it('tells why a student is refused also where the class goes in the same commit', async () => {
    const school = await openSchool()
    const as = await school.person('administrator')
    const headers = { 'if-match': '*' }
    for (let round = 0; round < 5; round++) {
      const { id } = (await school.post('/api/classes', { label: `Class of ${round}` }, as)).body.data
      const [removed, created, changed] = await Promise.all([
        school.send('DELETE', `/api/classes/${id}`, { as, headers }),
        school.post('/api/students', { name: 'Zoë', admission_number: `N-${round}`, class_id: id }, as),
        school.send('PATCH', '/api/classes/3', { as, headers, body: { position: round } }),
      ])
      assert.equal(changed.status, 200)
      const codes = [removed, created].map(({ status, body }) => [status, body.errors?.[0].code])
      const created201 = [
        [409, undefined],
        [201, undefined],
      ]
      const refused422 = [
        [200, undefined],
        [422, 'unknown_class'],
      ]
      assert.deepEqual(codes, created.status === 201 ? created201 : refused422)
    }
  })
})
