import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openSchool, type Person, type School } from '../../test/school.ts'

describe('the optional members of a student', () => {
  let school: School
  let registrar: Person
  let lastNumber = 0
  before(async () => {
    school = await openSchool({ env: { TOKEN_TTL: '86400' } })
    registrar = await school.person('registrar')
  })

  const create = (details: object) => {
    const body = { name: 'Ada', admission_number: `d-${++lastNumber}`, class_id: 1, ...details }
    return school.post('/api/students', body, registrar)
  }

  async function stored(details: object) {
    const answer = await create(details)
    assert.equal(answer.status, 201, answer.text)
    return (await school.get(`/api/students/${answer.body.data.id}`, registrar)).body.data
  }

  async function assertRefused(details: object, faults: string[]) {
    const before = await school.count('students')
    const answer = await create(details)
    assert.equal(answer.status, 422, answer.text)
    const told = answer.body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)
    assert.deepEqual(told, faults)
    assert.equal(await school.count('students'), before)
    return answer
  }

  const guardian = { name: 'G', relation: null, phone: null, email: null, address: null, note: null }
  const kept: [what: string, sent: object, stored: object][] = [
    ['a preferred name, composed and trimmed', { preferred_name: ' Zoe\u0308 ' }, { preferred_name: 'Zoë' }],
    ['a date of birth', { date_of_birth: '2014-03-09' }, { date_of_birth: '2014-03-09' }],
    ['a leap day', { date_of_birth: '2024-02-29' }, { date_of_birth: '2024-02-29' }],
    ['the first date', { date_of_birth: '1900-01-01' }, { date_of_birth: '1900-01-01' }],
    ['today', { date_of_birth: '2026-09-01' }, { date_of_birth: '2026-09-01' }],
    ['a gender in any words', { gender: ' non-binary, 性別 ' }, { gender: 'non-binary, 性別' }],
    ['notes in lines', { notes: ' One\r\nTwo\rThree\n\tFour ' }, { notes: 'One\nTwo\nThree\n\tFour' }],
    ['2 000 characters of notes', { notes: '🎓'.repeat(2_000) }, { notes: '🎓'.repeat(2_000) }],
    ['a guardian with a name alone', { guardians: [{ name: 'G' }] }, { guardians: [guardian] }],
    [
      'a guardian whose e-mail address is in capitals',
      { guardians: [{ name: ' G ', phone: '+49 (30) 1/2', email: ' G@X.Example ' }] },
      { guardians: [{ ...guardian, phone: '+49 (30) 1/2', email: 'g@x.example' }] },
    ],
    ['ten guardians', { guardians: Array(10).fill(guardian) }, { guardians: Array(10).fill(guardian) }],
    [
      'an address and a note of a guardian',
      { guardians: [{ name: 'G', address: ' Am Ring 1\r\nBerlin ', note: 'Works at night' }] },
      { guardians: [{ ...guardian, address: 'Am Ring 1\nBerlin', note: 'Works at night' }] },
    ],
    ['no guardians', { guardians: [] }, { guardians: null }],
    [
      'names in parts, and former ones',
      { given_name: ' Zoe\u0308 ', family_name: 'Müller', former_names: 'Zoë Meier; Zoë Schmidt' },
      { name: 'Ada', given_name: 'Zoë', family_name: 'Müller', former_names: 'Zoë Meier; Zoë Schmidt' },
    ],
    ['an e-mail address in small letters', { email: ' Zoe@X.Example ' }, { email: 'zoe@x.example' }],
    [
      'an address in lines',
      { address: 'Lindenweg 4\r\n12345 Berlin' },
      { address: 'Lindenweg 4\n12345 Berlin' },
    ],
    [
      'null for what there is not',
      { notes: null, guardians: null, gender: null },
      { notes: null, gender: null },
    ],
    ['markup as text', { notes: '<b>{"a":1}</b>' }, { notes: '<b>{"a":1}</b>' }],
  ]
  for (const [what, sent, expected] of kept) {
    it(`keep ${what}`, async () => {
      const student = await stored(sent)
      for (const [name, value] of Object.entries(expected)) assert.deepEqual(student[name], value)
    })
  }

  const noDates = [
    '2023-02-29',
    '1900-02-29',
    '2014-02-30',
    '2014-04-31',
    '2014-13-01',
    '2014-00-10',
    '2014-01-00',
    '0000-00-00',
    '1899-12-31',
    '0001-01-01',
    '2014-3-9',
    '20140309',
    '09.03.2014',
    '2014-03-09T00:00:00Z',
    '2014-03-09 00:00',
    '2014-03-09Z',
    '+2014-03-09',
    '２０１４-03-09',
    '2014-03-0a',
    'today',
  ]
  for (const date of noDates) {
    it(`refuse ${date} as a date of birth`, () =>
      assertRefused({ date_of_birth: date }, ['/date_of_birth invalid_format']).then(({ body }) => {
        assert.match(body.detail, /YYYY-MM-DD/)
      }))
  }

  it('refuse a date of birth after today, by UTC and the clock of the server', async () => {
    for (const date of ['2026-09-02', '2027-01-01', '9999-12-31'])
      await assertRefused({ date_of_birth: date }, ['/date_of_birth in_future'])
    school.passSeconds(16 * 3600) // from 08:00 to midnight
    assert.equal((await stored({ date_of_birth: '2026-09-02' })).date_of_birth, '2026-09-02')
    school.passSeconds(-16 * 3600)
  })

  const refused: [what: string, details: object, faults: string[]][] = [
    ['an e-mail address that is none', { email: 'zoe' }, ['/email invalid_format']],
    ['an address of 501', { address: 'a'.repeat(501) }, ['/address too_long']],
    ['former names of 501', { former_names: 'a'.repeat(501) }, ['/former_names too_long']],
    ['a family name that nobody sees', { family_name: '\u200b' }, ['/family_name invalid_format']],
    [
      'an address of a guardian of 501, and such a note',
      { guardians: [{ name: 'A', address: 'a'.repeat(501), note: 'a'.repeat(501) }] },
      ['/guardians/0/address too_long', '/guardians/0/note too_long'],
    ],
    ['a number for a date', { date_of_birth: 20140309 }, ['/date_of_birth wrong_type']],
    ['an empty date', { date_of_birth: '' }, ['/date_of_birth too_short']],
    ['an empty preferred name', { preferred_name: '  ' }, ['/preferred_name too_short']],
    ['a preferred name of 256', { preferred_name: 'a'.repeat(256) }, ['/preferred_name too_long']],
    ['a line break in a preferred name', { preferred_name: 'a\nb' }, ['/preferred_name invalid_format']],
    ['a gender of 51', { gender: 'a'.repeat(51) }, ['/gender too_long']],
    ['a control character in a gender', { gender: 'a\u0007' }, ['/gender invalid_format']],
    ['2 001 characters of notes', { notes: 'a'.repeat(2_001) }, ['/notes too_long']],
    ['NUL in notes', { notes: 'a\u0000' }, ['/notes invalid_format']],
    ['a bidirectional control in notes', { notes: 'a\u202e' }, ['/notes invalid_format']],
    ['a lone surrogate in notes', { notes: 'a\ud800' }, ['/notes invalid_format']],
    ['eleven guardians', { guardians: Array(11).fill(guardian) }, ['/guardians too_many']],
    [
      'a guardian that is none',
      { guardians: ['Jörg', null] },
      ['/guardians/0 wrong_type', '/guardians/1 wrong_type'],
    ],
    ['one guardian for a list', { guardians: guardian }, ['/guardians wrong_type']],
    ['a guardian without a name', { guardians: [{ phone: '1' }] }, ['/guardians/0/name required']],
    ['a guardian named null', { guardians: [{ name: null }] }, ['/guardians/0/name wrong_type']],
    [
      'a bad e-mail address',
      { guardians: [guardian, { name: 'A', email: 'x@' }] },
      ['/guardians/1/email invalid_format'],
    ],
    ['a phone of 51', { guardians: [{ name: 'A', phone: '1'.repeat(51) }] }, ['/guardians/0/phone too_long']],
    [
      'a phone in lines',
      { guardians: [{ name: 'A', phone: '1\n2' }] },
      ['/guardians/0/phone invalid_format'],
    ],
    [
      'a relation of 51',
      { guardians: [{ name: 'A', relation: 'a'.repeat(51) }] },
      ['/guardians/0/relation too_long'],
    ],
    [
      'a date of birth of a guardian',
      { guardians: [{ name: 'A', date_of_birth: '1980-01-01' }] },
      ['/guardians/0/date_of_birth unknown_member'],
    ],
  ]
  for (const [what, details, faults] of refused) {
    it(`refuse ${what}, and nothing is created`, () => assertRefused(details, faults).then(() => {}))
  }

  it('list what is accepted where a member is not known, of a guardian too', async () => {
    const { body } = await assertRefused(
      { birthday: '2014-03-09', guardians: [{ name: 'A', mail: 'secret' }] },
      ['/birthday unknown_member', '/guardians/0/mail unknown_member'],
    )
    const [ofStudent, ofGuardian] = body.errors.map(({ detail }: { detail: string }) => detail)
    assert.match(
      ofStudent,
      /preferred_name, given_name, family_name, former_names, date_of_birth, gender, email, address, guardians, notes, fields$/,
    )
    assert.match(ofGuardian, /accepted are: name, relation, phone, email, address, note$/)
    assert.doesNotMatch(JSON.stringify(body), /secret/)
  })

  it('are found by the preferred name and former ones, and by nothing else of them', async () => {
    const details = {
      gender: 'xylogender',
      notes: 'xylonotes',
      guardians: [{ name: 'Xyloguardian' }],
      email: 'xyloemail@x.example',
      address: 'Xyloaddress 1',
      family_name: 'Xylofamily',
    }
    const { id } = await stored({ preferred_name: 'Xyloname', former_names: 'Zoë Xylophon', ...details })
    const { body } = await school.get('/api/students?search=xylo', registrar)
    assert.deepEqual(
      body.data.map((student: { id: number }) => student.id),
      [id],
    )
    const former = await school.get('/api/students?search=xylophon+ada', registrar)
    assert.deepEqual([former.body.data[0].id, former.body.pagination.total], [id, 1])
    assert.doesNotMatch(former.text, /Xylophon/, 'a list does not show it')
    for (const search of ['gender', 'notes', 'guardian', 'email', 'address', 'family'].map(
      (what) => `xylo${what}`,
    )) {
      const answer = await school.get(`/api/students?search=${search}`, registrar)
      assert.equal(answer.body.pagination.total, 0, search)
    }
  })
})
