import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { exportedRows, exportsAsListed, listOrders, listTerms } from '../../test/exported-lists.ts'
import { grant, personHolding } from '../../test/grants.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { maxFields } from '../fields/kinds.ts'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Texts that the API takes as they are, in many scripts; some begin as formulas do, or with the mark against them. */
const texts = [
  'Zoë',
  'Зоя',
  '王小明',
  'عائشة',
  'ज़ोया',
  '𝒵oe',
  '=1+1',
  "'=1",
  "''=1",
  '+49',
  '-1',
  '@a',
  '_x0041_',
  '"a", b;c',
  "O'Hara",
  '<b>&amp;',
]

interface Entry {
  readonly change_set_id: number
  readonly kind: string
  readonly note: string
  readonly by: { readonly user_id?: number }
}

describe('GET /api/students.csv and GET /api/students.xlsx', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const exported = (query: string, as = registrar) => exportedRows(school, as, query)

  async function add(given: object, as = registrar): Promise<number> {
    const student = { name: 'Ada', admission_number: crypto.randomUUID(), class_id: 1, ...given }
    const { body, status, text } = await school.post('/api/students', student, as)
    assert.equal(status, 201, text)
    return body.data.id
  }

  /** The newest export in the log; its end is logged a little after its last byte is sent. */
  async function newest(): Promise<Entry> {
    const administrator = await school.person('administrator')
    for (;;) {
      const { body } = await school.get('/api/audit?record=export&per_page=1', administrator)
      if (/^\d/.test(body.data[0].note)) return body.data[0]
    }
  }

  it('gives every member that is stored, in every script, as the API shows it', async () => {
    await school.post(
      '/api/fields',
      { label: 'Clubs', kind: 'several_of', options: ['Oak', 'Elm'] },
      await school.person('administrator'),
    )
    const ids: number[] = []
    for (const text of texts) {
      const guardian = {
        name: text,
        relation: text,
        phone: '+49 30',
        address: `${text}\n${text}`,
        note: text,
      }
      const identifiers = [{ system: 'state', value: crypto.randomUUID() }]
      ids.push(
        await add({
          name: text,
          given_name: text,
          former_names: text,
          date_of_birth: '2014-03-09',
          gender: text,
          email: 'zoe@school.example',
          address: `${text}\n${text}`,
          notes: `\t${text}`,
          admission_number: `${text} ${ids.length}`,
          guardians: ids.length % 2 === 0 ? [guardian] : [{ name: 'A' }, guardian],
          identifiers:
            ids.length % 3 === 0
              ? null
              : [...identifiers, { system: 'Church', value: `${text} ${ids.length}` }],
          fields: { clubs: ['Oak', 'Elm'] },
        }),
      )
    }
    const rows = await exported('')
    assert.deepEqual(
      rows.map(({ id }) => Number(id)),
      ids,
    )
    for (const row of rows) {
      const { data } = (await school.get(`/api/students/${row.id}`, registrar)).body
      const { guardians, identifiers, fields, ...members } = data
      for (const [name, value] of Object.entries(members)) assert.equal(row[name], String(value ?? ''), name)
      for (const [i, guardian] of guardians.entries())
        for (const [part, value] of Object.entries(guardian))
          assert.equal(row[`guardian_${i + 1}_${part}`], value ?? '')
      for (const { system, value } of identifiers ?? []) assert.equal(row[`identifiers.${system}`], value)
      assert.equal(row['fields.clubs'], fields.clubs.join('\n'))
      assert.ok(row.created_at && row.updated_at)
    }
    assert.ok('guardian_2_note' in rows[0]! && !('guardian_3_name' in rows[0]!), 'as many as there are')
  })

  it('takes the filters, orders and columns of the list, and finds who the list finds', async () => {
    // Each filter and each order once, and some filters together.
    const some = fc.sample(fc.subarray(listTerms, { minLength: 2, maxLength: 3 }), 2)
    for (const [i, terms] of [...listTerms.map((term) => [term]), ...some].entries()) {
      const found = await exportsAsListed(school, registrar, terms, listOrders[i % listOrders.length]!)
      assert.ok(found > 0 || terms.length > 1, String(terms))
    }
    const { body, status } = await school.get('/api/students.csv?columns=nonsense', registrar)
    assert.deepEqual([status, body.code], [422, 'validation_failed'])
    assert.equal((await school.get('/api/students.csv?page=1', registrar)).status, 422)
  })

  it('writes CSV with a semicolon and without a mark at its beginning where asked, and names the file by the day', async () => {
    const plain = await school.get('/api/students.csv?columns=id,name', registrar)
    assert.equal(plain.headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(plain.headers['content-disposition'], 'attachment; filename="students-2026-09-01.csv"')
    assert.ok(plain.text.startsWith('\uFEFFid,name\r\n'))
    assert.match(plain.text, /,'=1\+1\r\n/)
    const asked = await school.get('/api/students.csv?columns=id,name&delimiter=;&bom=off', registrar)
    assert.ok(asked.text.startsWith('id;name\r\n'))
    const sheet = await school.get('/api/students.xlsx?columns=id', registrar)
    assert.equal(sheet.headers['content-type'], xlsx)
    assert.equal(sheet.headers['content-disposition'], 'attachment; filename="students-2026-09-01.xlsx"')
    const head = await school.send('HEAD', '/api/students.csv', { as: registrar })
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal((await school.get('/api/students.xlsx?bom=off', registrar)).status, 422)
    assert.equal((await school.get('/api/students.csv?delimiter=x', registrar)).status, 422)
  })

  it('gives a class teacher the students of the own classes alone', async () => {
    const own = await add({ class_id: 5 })
    const teacher = await personHolding(school, [['students.view', 'students.export'], [5]])
    assert.deepEqual(
      (await exported('columns=id', teacher)).map(({ id }) => Number(id)),
      [own],
    )
    assert.deepEqual(await exported('columns=id&class_id=1', teacher), [])
    assert.deepEqual(await exported('columns=id&search=zo&sort=name', teacher), [])
    const mixed = await personHolding(school, [['students.view'], 'all'], [['students.export'], [5]])
    assert.deepEqual(
      (await exported('columns=id', mixed)).map(({ id }) => Number(id)),
      [own],
    )
  })

  it('refuses who may not export, or not see, and logs nothing of that', async () => {
    const before = await newest()
    const viewer = await school.person('viewer')
    const blind = await personHolding(school, [['students.export'], 'all'])
    for (const [person, permission] of [
      [viewer, 'students.export'],
      [blind, 'students.view'],
    ] as const) {
      for (const path of ['/api/students.csv', '/api/students.xlsx']) {
        const { status, body, headers } = await school.get(path, person)
        assert.deepEqual([status, body.code], [403, 'permission_denied'])
        assert.match(String(headers['www-authenticate']), new RegExp(`scope="${permission}"`))
        assert.equal(headers['content-disposition'], undefined)
      }
    }
    assert.deepEqual(await newest(), before)
  })

  it('leaves out what is sensitive for those who may not see it of all classes asked for', async () => {
    const teacher = await personHolding(school, [
      ['students.view', 'students.export'],
      [1, 5],
    ])
    const [row] = await exported('', teacher)
    for (const name of ['date_of_birth', 'gender', 'email', 'address', 'notes', 'guardian_1_name'])
      assert.ok(!(name in row!), name)
    assert.ok('family_name' in row! && 'fields.clubs' in row!)
    for (const query of [
      'columns=notes',
      'columns=guardians',
      'gender=x',
      'guardian=a',
      'sort=date_of_birth',
    ])
      assert.equal((await school.get(`/api/students.csv?${query}`, teacher)).status, 403, query)
    await grant(school, teacher, [['students.sensitive'], [5]])
    assert.ok(!('notes' in (await exported('', teacher))[0]!), 'not of both classes')
    assert.ok('notes' in (await exported('class_id=5', teacher))[0]!)
  })

  it('is in the log with its filter and number, and without what was searched for', async () => {
    const found = await exported('search=zoe&class_id=1&guardian=zoe&sort=name&columns=id,name')
    const entry = await newest()
    assert.equal(entry.kind, 'export')
    assert.equal(entry.by.user_id, registrar.id)
    assert.match(entry.note, new RegExp(`^${found.length} students? as xlsx: .*search.*class_id=1`))
    assert.doesNotMatch(JSON.stringify(entry), /zoe/i)
    assert.doesNotMatch(school.log.join(''), /zoe/i)
    await exported('gender=secret&columns=id')
    assert.match((await newest()).note, /^0 students as xlsx: gender, /)
    const { status, body } = await school.send('POST', `/api/change-sets/${entry.change_set_id}/undo`, {
      as: await school.person('administrator'),
    })
    assert.deepEqual([status, body.code], [409, 'change_set_not_undoable'])
  })

  it('is in the log with as much of its columns as there is room for', async () => {
    const columns =
      'id,name,admission_number,class_id,class,preferred_name,given_name,family_name,former_names,date_of_birth,gender,email,address,notes,identifiers,guardians,created_at'
    await exported(`gender=secret&class_id=1&sort=-created_at&columns=${columns}`)
    const { note } = await newest()
    assert.match(note, /^0 students as xlsx: .*…$/)
    assert.equal(note.length, 200)
  })

  it('has a header and no rows where nobody is found', async () => {
    assert.equal(
      (await school.get('/api/students.csv?bom=off&columns=id,name&class_id=12', registrar)).text,
      'id,name\r\n',
    )
    assert.deepEqual(await exported('class_id=12'), [])
    const nobody = await personHolding(school, [['students.view', 'students.export'], []])
    assert.deepEqual(await exported('search=zo', nobody), [])
  })

  it('has all columns where a school has as many fields as it may have', async () => {
    const administrator = await school.person('administrator')
    const { data: fields } = (await school.get('/api/fields', administrator)).body
    for (let i = fields.length; i < maxFields; i++)
      assert.equal(
        (await school.post('/api/fields', { label: `More ${i}`, kind: 'yes_no' }, administrator)).status,
        201,
      )
    const [row] = await exported('class_id=1')
    assert.equal(Object.keys(row!).filter((name) => name.startsWith('fields.')).length, maxFields)
  })

  it('has one column for a system of identifiers, in however many ways it is written', async () => {
    const other = await openSchool()
    const clerk = await other.person('registrar')
    const addNumber = async (i: number) => {
      const letters = [...'abcdefgh'].map((one, at) => ((i >> at) & 1 ? one.toUpperCase() : one))
      const identifiers = [{ system: letters.join(''), value: `v${i}` }]
      const student = { name: 'Ada', admission_number: `s-${i}`, class_id: 1, identifiers }
      assert.equal((await other.post('/api/students', student, clerk)).status, 201)
    }
    for (
      let i = 0;
      i < 201;
      i += 20 // more at once are refused where the machine is busy
    )
      await Promise.all(Array.from({ length: Math.min(20, 201 - i) }, (_, j) => addNumber(i + j)))
    const path = '/api/students.csv?bom=off&columns=id,identifiers'
    const { status, text } = await other.get(path, clerk)
    assert.deepEqual([status, text.split('\r\n')[0]!.split(',').length], [200, 2], text.slice(0, 300))
    assert.equal(text.split('\r\n').length, 203)
  })
})
