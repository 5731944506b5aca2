import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant, personHolding, revokeAll } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('a child that is looked for in a plan', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  /** The rows that a search finds, in pages of two. */
  async function found(id: number, search: string, more = '', as = registrar): Promise<(number | string)[]> {
    const path = `/api/imports/${id}/rows?per_page=2${more}&search=${encodeURIComponent(search)}`
    const pages = [1, 2, 3].map((page) => school.get(`${path}&page=${page}`, as))
    const [first, ...others] = await Promise.all(pages)
    assert.equal(first!.status, 200, first!.text)
    const rows = [first!, ...others].flatMap(({ body }) => body.data)
    assert.equal(first!.body.pagination.total, rows.length)
    return rows.map((row) => row.row ?? `${row.count} like ${row.first.row}`)
  }

  it('is found by the name or the number in the file, whatever comes of its row', async () => {
    const importer = new Importer(school, registrar)
    const { id } = await importer.planned(
      [
        'name,admission_number,class',
        'Zoë Müller,fr-1,Class 1',
        'Zoe Faulty,fr-2,Class 1,too many',
        'Ali Zoller,fr-3,Class 2',
        'Mia Other,fr-33,Class 2\n',
      ].join('\n'),
    )
    assert.deepEqual(await found(id, 'zoe'), [2, 3])
    assert.deepEqual(await found(id, 'ZOË mul'), [2])
    assert.deepEqual(await found(id, 'zo'), [2, 3, 4])
    assert.deepEqual(await found(id, 'fr-3'), [4, 5])
    assert.deepEqual(await found(id, 'zo', '&outcome=create'), [2, 4])
    assert.deepEqual(await found(id, 'nobody'), [])
    assert.deepEqual(await found(id, 'Class'), [])
    assert.deepEqual(await found(id, ' '), [2, 3, 4, 5])
  })

  it('is found by the record that its row matches, since a file of phones has no names', async () => {
    const importer = new Importer(school, registrar)
    const children = 'Noor Abadi,fm-1,Class 1\nNoor Berg,fm-2,Class 1\nIda,fm-3,Class 1\n'
    await importer.applied(await importer.planned(`name,admission_number,class\n${children}`))
    const file = 'admission_number,address\nfm-1,Main Street 1\nfm-2,Main Street 1\nfm-3,Main Street 1\n'
    const { id } = await importer.planned(file, '?mode=update')
    assert.deepEqual(await found(id, 'noor'), [2, 3])
    assert.deepEqual(await found(id, 'noor', '&group=true'), ['2 like 2'])
  })

  it('is found by parts of a name, and a class by its label', async () => {
    const importer = new Importer(school, await school.person('administrator'))
    const classes = await importer.planned('label\nClass 1\n7 North\n', '?kind=classes&mode=create')
    assert.deepEqual(await found(classes.id, 'north', '', await school.person('administrator')), [3])
    const file = 'family_name,given_name,admission_number,class\nBerg,Lea,fp-1,Class 1\n'
    const asking = await importer.read(await importer.send(file))
    const { id } = await importer.continued(asking, { answers: { name_order: 'given_first' } })
    assert.deepEqual(await found(id, 'berg lea'), [2])
  })

  it('is found by nobody who is not told of its row', async () => {
    const held = ['students.import', 'students.view', 'students.create', 'students.update'] as const
    const clerk = await personHolding(school, [held, [1, 2]])
    const importer = new Importer(school, clerk)
    const rows = 'Una One,fs-1,Class 1\nUna Two,fs-2,Class 2\n'
    const { id } = await importer.planned(`name,admission_number,class\n${rows}`)
    assert.deepEqual(await found(id, 'una', '', clerk), [2, 3])
    await revokeAll(school, clerk)
    await grant(school, clerk, [held, [1]])
    assert.deepEqual(await found(id, 'una', '', clerk), [])
    const { body } = await school.get(`/api/imports/${id}/rows`, clerk)
    assert.equal(body.pagination.total, 2)
  })

  it('is found by nobody to whom its row has no name: one that is left out tells nothing of a class that is not seen', async () => {
    const held = ['students.import', 'students.view', 'students.create', 'students.update'] as const
    const clerk = await personHolding(school, [held, [1, 2]])
    const importer = new Importer(school, clerk)
    await importer.applied(await importer.planned('name,admission_number,class\nUrsa Known,fl-1,Class 2\n'))
    const asking = await importer.read(
      await importer.send('name,admission_number,class\nUrsa Known,fl-1,6X\nUrsa New,fl-2,Class 1\n'),
    )
    const { id } = await importer.continued(asking, { answers: { 'class.6X': 'leave_out' } })
    assert.deepEqual(await found(id, 'ursa', '', clerk), [2, 3])
    await revokeAll(school, clerk)
    await grant(school, clerk, [held, [1]])
    const [row] = (await school.get(`/api/imports/${id}/rows`, clerk)).body.data
    assert.deepEqual([row.row, row.called], [2, undefined])
    for (const word of ['ursa', 'known', 'fl-1']) assert.deepEqual(await found(id, word, '', clerk), [], word)
  })

  it('is no student whom the file lacks, and no search has more words than another', async () => {
    const importer = new Importer(school, registrar)
    const { id } = await importer.planned('name,admission_number,class\nAda,fw-1,Class 1\n', '?mode=mirror')
    const path = `/api/imports/${id}/rows?search=`
    const missing = await school.get(`${path}ada&outcome=missing`, registrar)
    assert.deepEqual([missing.status, missing.body.errors[0].pointer], [422, '/search'])
    const many = await school.get(`${path}${'a b c d e f g h i j k'.replaceAll(' ', '+')}`, registrar)
    assert.deepEqual([many.status, many.body.errors[0].code], [422, 'too_many_words'])
  })
})
