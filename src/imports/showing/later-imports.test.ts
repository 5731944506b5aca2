import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant, personHolding, revokeAll } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

const held = ['students.import', 'students.view', 'students.create', 'students.update'] as const

describe('GET /api/imports?later_than=', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
  })

  const applied = async (file: string, by = importer) => (await by.applied(await by.planned(file))).id
  const later = (id: number, as = registrar) => school.get(`/api/imports?later_than=${id}`, as)
  const told = async (id: number, as = registrar): Promise<number[]> => {
    const { status, body, text } = await later(id, as)
    assert.equal(status, 200, text)
    assert.equal(body.pagination.total, body.data.length)
    return body.data.map((one: { id: number }) => one.id)
  }
  const fileOf = (number: string, name: string, label = 'Class 1') =>
    `name,admission_number,class\n${name},${number},${label}\n`

  it('lists what changed the same students since an import did, the newest first', async () => {
    const first = await applied(fileOf('l-1', 'Mia Frist').concat('Other,l-2,Class 1\n'))
    assert.deepEqual(await told(first), [])
    const other = await applied(fileOf('l-3', 'No Matter'))
    const corrected = await applied(fileOf('l-1', 'Mia First'))
    const again = await applied(fileOf('l-1', 'Mia Last'))
    assert.deepEqual(await told(first), [again, corrected])
    assert.deepEqual([await told(other), await told(corrected), await told(again)], [[], [again], []])
    await importer.undone(again)
    assert.deepEqual([await told(first), await told(again)], [[corrected], []])
    await importer.undone(first)
    assert.deepEqual(await told(first), [], 'there is nothing to take back any more')
  })

  it('lists none that changed nothing of these students, or that is only planned', async () => {
    const first = await applied(fileOf('m-1', 'Ada'))
    await applied(fileOf('m-1', 'Ada').concat('Else,m-2,Class 2\n'))
    await importer.planned(fileOf('m-1', 'Ada Other'))
    const { status } = await school.send('PATCH', await pathOf('m-1'), {
      ...{ as: registrar, body: { address: 'By Hand' }, headers: { 'if-match': '*' } },
    })
    assert.equal(status, 200)
    assert.deepEqual(await told(first), [])
  })

  it('lists only what its reader sees, by the students whom they see', async () => {
    const clerk = await personHolding(school, [held, [1, 2]])
    const clerks = new Importer(school, clerk)
    const first = await applied(fileOf('n-1', 'Nu One').concat('Nu Two,n-2,Class 2\n'), clerks)
    const ofOther = await applied(fileOf('n-1', 'Nu Other'))
    const own = await applied(fileOf('n-2', 'Nu Own', 'Class 2'), clerks)
    assert.deepEqual([await told(first), await told(first, clerk)], [[own, ofOther], [own]])
    await revokeAll(school, clerk)
    await grant(school, clerk, [held, [1]])
    assert.deepEqual(await told(first, clerk), [])
    for (const unseen of [ofOther, 999_999]) {
      const { status, body } = await later(unseen, clerk)
      assert.deepEqual([status, body.code], [404, 'import_not_found'])
    }
  })

  const pathOf = async (number: string) => {
    const [student] = (await school.get(`/api/students?search=${number}`, registrar)).body.data
    return `/api/students/${student.id}`
  }
})
