import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { onceOnly } from '../../../test/engine.ts'
import { personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { headingLanguages } from '../../exports/headings.ts'

describe('GET /api/imports/template', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  async function template(type: string, query = '', as = registrar): Promise<Buffer> {
    const headers = { authorization: `Bearer ${as.token}` }
    const file = await school.app.inject({ url: `/api/imports/template.${type}${query}`, headers })
    assert.equal(file.statusCode, 200, file.payload)
    const kind = query.includes('kind=classes') ? 'classes' : 'students'
    assert.equal(file.headers['content-disposition'], `attachment; filename="${kind}.${type}"`)
    return file.rawPayload
  }

  const csvOf = async (query: string, as = registrar) => String(await template('csv', query, as))

  it('has a column for all that its caller may import, and the first class of theirs', async () => {
    const teacher = await personHolding(school, [['students.import'], [5]])
    const plain = await csvOf('?delimiter=;&bom=off', teacher)
    assert.match(plain, /^admission_number;name;class;/)
    assert.match(plain, /;Class 5;/)
    assert.doesNotMatch(plain, /date_of_birth|guardian/)
    const other = await personHolding(school, [['students.import'], [11, 12]])
    const closing = { as: registrar, body: { archived: true }, headers: { 'if-match': '*' } }
    assert.equal((await school.send('PATCH', '/api/classes/11', closing)).status, 200)
    assert.match(await csvOf('', other), /,Class 12,/)
    assert.equal((await school.get('/api/imports/template.csv?kind=classes', teacher)).status, 403)
    assert.match(await csvOf('?kind=classes'), /label\r\n/)
  })

  it(
    'has headings in any language, and is imported where somebody writes over the example',
    onceOnly,
    async () => {
      for (const [language, heading] of Object.entries({
        en: 'Full name',
        de: 'Schülernummer',
        ar: 'الصف',
      })) {
        const text = await csvOf(`?headings=${language}`)
        assert.match(text.split('\r\n')[0]!, new RegExp(`(^\ufeff|,)${heading},`))
      }
      for (const language of headingLanguages) {
        const filled = (await csvOf(`?headings=${language}`)).replace('EXAMPLE', `te-${language}`)
        const { id, counts } = await importer.planned(filled)
        assert.equal(counts.create, 1, language)
        const [{ cells }] = await importer.rows(id)
        assert.ok(
          cells.some(({ column }: { column: string }) => column === 'guardian_1_relation'),
          language,
        )
        const ofClasses = (await csvOf(`?kind=classes&headings=${language}`)).replace('EXAMPLE', 'Year')
        assert.equal((await importer.planned(ofClasses, '?kind=classes')).counts.create, 1, language)
      }
    },
  )

  /** What the plan says of each row. */
  const told = async (id: number) =>
    (await importer.rows(id)).map(({ row, outcome, called, cells: [cell] }) => [
      ...[row, outcome, called, `${cell.column} ${cell.code}`],
    ])

  it('has an example that is left out, and says so, with the same headings or others', async () => {
    for (const type of ['csv', 'xlsx'])
      for (const query of ['', '?headings=de', '?headings=ar']) {
        const { id, counts } = await importer.planned(await template(type, query))
        assert.deepEqual([counts.rows, counts.left_out], [1, 1], query)
        assert.deepEqual(await told(id), [[2, 'left_out', 'Zoë Müller', 'admission_number example_row']])
      }
  })

  it('has an example that no mode imports, also where somebody imported it before', async () => {
    const numbers = { EXAMPLE: 1, 'te-0': 1, 'te-1': 2 } // and their classes
    for (const [admission_number, class_id] of Object.entries(numbers))
      await school.student(registrar, { name: 'Zoë Müller', admission_number, class_id })
    for (const mode of ['create', 'update', 'upsert', 'mirror']) {
      const child = mode === 'create' ? 'te-2,Bo,Class 3' : 'te-1,Ada B.,Class 2'
      const file = `admission_number,name,class\nEXAMPLE,Zoë Other,Class 1\n${child}\n EXAMPLE ,Zoë Other,Class 1\n`
      const { counts } = await importer.planned(file, `?mode=${mode}`)
      // As none of its cells is read, it names no class: nobody of Class 1 is missing in a mirror.
      assert.deepEqual([counts.rows, counts.left_out, counts.missing], [3, 2, 0], mode)
      assert.equal(counts.create! + counts.change!, 1, mode)
    }
    const ofExample = await importer.planned('admission_number,name,class\nexample,Zoë Other,Class 1\n')
    assert.equal(ofExample.counts.change, 1, 'written in another way, it is no example')
  })

  it('has an example about which nothing is asked', async () => {
    const file =
      'admission_number,name,class,Bus line\nEXAMPLE,Zoë Müller,No such class,A\nte-3,Bo,Class 3,\n'
    const { counts, questions } = await importer.planned(file)
    assert.deepEqual([counts.create, counts.left_out], [1, 1])
    assert.ok(questions.every(({ required }: { required: boolean }) => !required))
  })

  it('of classes has an example that is left out, and the classes below it are made', async () => {
    const file = Buffer.concat([
      await template('csv', '?kind=classes&headings=de'),
      Buffer.from('Zebras\r\n'),
    ])
    const planned = await importer.planned(file, '?kind=classes')
    assert.deepEqual([planned.counts.create, planned.counts.left_out], [1, 1])
    assert.deepEqual(await told(planned.id), [
      [2, 'left_out', 'EXAMPLE 7 B', 'label example_row'],
      [3, 'create', 'Zebras', 'label undefined'],
    ])
    const { text } = await importer.refused(planned.id, '?outcome=left_out&language=de')
    assert.match(
      text,
      /Klasse: Das ist das Beispiel aus der Datei zum Ausfüllen\. Es wird nicht eingelesen\.,/,
    )
    assert.equal((await importer.applied(planned)).state, 'applied')
    const { text: classes } = await school.get('/api/classes?per_page=100', registrar)
    assert.deepEqual([classes.includes('Zebras'), classes.includes('EXAMPLE')], [true, false])
  })
})
