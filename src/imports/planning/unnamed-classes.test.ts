import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { archive } from '../../../test/exported-students.ts'
import { grant, personHolding, revokeAll } from '../../../test/grants.ts'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool } from '../../../test/school.ts'

const held = ['students.import', 'students.view', 'students.create', 'students.update'] as const

describe('classes that a file does not name, with mirror', () => {
  const header = 'admission_number,name,class'
  const notes = ({ warnings }: ShownImport) =>
    warnings.filter(({ code }: { code: string }) => code.endsWith('classes_not_named'))

  it('are told with their students in no row, as far as the account sees them; archived and empty ones are not', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const make = (number: string, class_id: number) =>
      school.student(registrar, { name: `Child ${number}`, admission_number: number, class_id })
    for (let id = 1; id <= 6; id++) await make(`n-${id}`, id)
    await make('n-40', 4)
    await archive(school, registrar, 6, true)
    // Class 3 is named by nobody, but its child moves up.
    const rows = ['n-1,Child n-1,Class 1', 'n-2,Child n-2,Class 2', 'n-3,Child n-3,Class 4']
    const file = `${header}\n${rows.join('\n')}\nn-9,New,Class 1\n`
    const importer = new Importer(school, registrar)
    const planned = await importer.planned(file, '?mode=mirror')
    assert.deepEqual(notes(planned), [
      {
        code: 'classes_not_named',
        detail: 'Not compared, since no row names the class: Class 5 (1 student).',
        params: { classes: [{ label: 'Class 5', students: 1 }], more: 0 },
      },
    ])
    assert.equal(planned.counts.missing, 2)
    assert.deepEqual(notes(await importer.planned(file, '?mode=upsert')), [])

    const person = await personHolding(school, [held, [1, 2, 4]])
    const own = new Importer(school, person)
    const narrow = await own.planned(file, '?mode=mirror')
    assert.deepEqual(notes(narrow), [])
    await revokeAll(school, person)
    await grant(school, person, [held, 'all'])
    const wide = await own.planned(`${file}n-10,New,Class 2\n`, '?mode=mirror')
    assert.equal(notes(wide).length, 1)
    await revokeAll(school, person)
    await grant(school, person, [held, [1, 2, 4]])
    assert.deepEqual(notes(await own.read(wide.id)), [], 'who sees less than the plan is not told')
  })

  it('are one sentence where most are so, and at most 20 by their labels', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const administrator = await school.person('administrator')
    const importer = new Importer(school, registrar)
    const { body } = await school.get('/api/classes?per_page=100', registrar)
    const ids: number[] = body.data.map(({ id }: { id: number }) => id)
    for (let i = ids.length; i < 50; i++) {
      const made = await school.post('/api/classes', { label: `Further ${i}` }, administrator)
      assert.equal(made.status, 201, made.text)
      ids.push(made.body.data.id)
    }
    const classes = (await school.get('/api/classes?per_page=100', registrar)).body.data
    for (const [i, { id }] of classes.entries())
      await school.student(registrar, { name: `Child ${i}`, admission_number: `o-${i}`, class_id: id })
    const naming = (count: number) => {
      const rows = classes
        .slice(0, count)
        .map(({ label }: { label: string }, i: number) => `o-${i},,${label}`)
      return importer.planned(`${header}\n${rows.join('\n')}\n`, '?mode=mirror')
    }
    const [most] = notes(await naming(1))
    assert.deepEqual(most, {
      code: 'most_classes_not_named',
      detail: `The file names 1 of ${classes.length} classes; the others were not compared.`,
      params: { named: 1, of: classes.length },
    })
    const [some] = notes(await naming(classes.length - 22))
    assert.deepEqual([some.code, some.params.classes.length, some.params.more], ['classes_not_named', 20, 2])
    assert.match(some.detail, / \(1 student\), and 2 more\.$/)
    assert.deepEqual(notes(await naming(classes.length)), [])
  })
})
