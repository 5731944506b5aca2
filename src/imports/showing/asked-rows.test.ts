import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { inline, sheetOf, writtenWorkbook } from '../../../test/workbooks.ts'

describe('a request for rows of a plan', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const answers = async (id: number, query: string, expected: unknown) => {
    const { status, body } = await school.get(`/api/imports/${id}/rows?${query}`, registrar)
    const told = body.errors?.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])
    assert.deepEqual([status, told ?? body.data.map(({ row }: { row: number }) => row)], expected, query)
  }

  it('is refused for a column that no file can have, and for a row that is not there', async () => {
    const { id } = await importer.planned('name,admission_number,class\nMia Asked,a-1,Class 1\n')
    for (const none of ['email', 'fields.gone_by_now', 'guardian_11_name', 'row'])
      await answers(id, `column=${none}`, [200, []])
    await answers(id, 'column=class', [200, [2]])
    await answers(id, 'column=klasse', [422, [['/column', 'invalid']]])
    await answers(id, 'column=label', [422, [['/column', 'invalid']]])
    for (const none of [1, 3, 2_000])
      await answers(id, `like_row=${none}`, [422, [['/like_row', 'unknown_row']]])
    await answers(id, 'like_row=2&like_sheet=7a', [422, [['/like_sheet', 'invalid']]])
    await answers(id, 'like_sheet=7a', [422, [['/like_row', 'required']]])
    const all = [
      ['/search', 'too_many_words'],
      ['/column', 'invalid'],
      ['/like_row', 'unknown_row'],
    ]
    await answers(id, 'column=klasse&like_row=3&search=a+b+c+d+e+f+g+h+i+j+k', [422, all])
  })

  it('is refused where it asks for students whom the file lacks and for what only its rows have', async () => {
    const { id } = await importer.planned(
      'name,admission_number,class\nMia Lacked,l-1,Class 1\n',
      '?mode=mirror',
    )
    const flags = ['outdated', 'kept', 'changed_since', 'decided', 'group']
    for (const name of flags) {
      await answers(id, `outcome=missing&${name}=true`, [422, [[`/${name}`, 'invalid']]])
      await answers(id, `outcome=missing&${name}=false`, [200, []])
    }
    const both = [
      ['/column', 'invalid'],
      ['/like_row', 'invalid'],
    ]
    await answers(id, 'outcome=missing&column=class&like_row=2', [422, both])
  })

  it('names the sheet of a row where there are several', async () => {
    const rows = (number: string) => [
      [inline('name'), inline('admission_number'), inline('class')],
      [inline('Bo Asked'), inline(number), inline('Class 1')],
    ]
    const sheets = ['7a', '7b'].map((name, i) => ({ name, ...sheetOf(rows(`b-${i}`)) }))
    const { id } = await importer.planned(await writtenWorkbook({ sheets }))
    await answers(id, 'like_row=2', [422, [['/like_sheet', 'required']]])
    await answers(id, 'like_row=2&like_sheet=8', [422, [['/like_sheet', 'not_allowed']]])
    await answers(id, 'like_row=2&like_sheet=7b', [200, []])
  })

  it('is told what would be right in a thousand characters, however many fields the school has', async () => {
    const admin = await school.person('administrator')
    for (let n = 0; n < 50; n++) {
      const body = { label: `Long ${n} ${'x'.repeat(40)}`, kind: 'text' }
      assert.equal((await school.post('/api/fields', body, admin)).status, 201)
    }
    const { failure } = await importer.read(await importer.send('what,ever\n1,2\n'))
    assert.match(failure.detail, /, notes, fields\.KEY, identifiers\.SYSTEM/)
    const { id, tag } = await importer.read(
      await importer.send('name,admission_number,class,What\nMia Many,m-1,Class 1,x\n'),
    )
    const unasked = await school.get(`/api/imports/${id}/rows?column=what`, registrar)
    const unknown = await importer.patch({ id, tag }, { answers: { 'column.What': 'what' } })
    const details = [failure, unasked.body.errors[0], unknown.body.errors[0]].map(
      ({ detail }) => detail.length,
    )
    assert.ok(Math.max(...details) <= 1_000, String(details))
  })
})
