import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { grant, type Holding, personHolding } from '../../test/grants.ts'
import { insertStudents } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { readCsv } from '../../test/sheets.ts'
import { getAuthority } from '../access/authority.ts'
import type { Permission } from '../access/permissions.ts'
import { write } from '../events/write.ts'
import type { ListQuery } from '../students/list-query.ts'
import { openStudentLists, type StudentLists } from '../students/lists/lists.ts'
import { exportedList } from './exported-list.ts'
import { beginFile, type StudentsFile } from './students-file.ts'

const all: Holding[0] = ['students.view', 'students.export', 'students.sensitive']

describe('an export amid which something changes', () => {
  let school: School
  let registrar: Person
  let lists: StudentLists
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    await insertStudents(school.db, Array(300).fill('Ada')) // of class 1
    lists = openStudentLists(school.db)
  })
  after(() => lists.close())

  async function begun({ id }: Person, query: ListQuery): Promise<StudentsFile> {
    const { db } = school
    const listNow = await exportedList(db, query, () => getAuthority(db, id))
    return beginFile({ db, lists, listNow }, { type: 'csv', delimiter: ',', bom: false })
  }

  /** Reads a file, and does this once its first students are there. @returns how many rows it has, and how it ended */
  async function readAll(file: StudentsFile, amid: () => Promise<unknown> = async () => {}) {
    let [rows, end] = [-1, 'whole'] // the header is no row
    try {
      for await (const piece of file) {
        if (rows < 0) await amid()
        rows += readCsv(piece).length
      }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      end = (error as { code?: string }).code ?? (error as Error).message
    }
    assert.equal(file.isWhole, end === 'whole')
    return { rows, end }
  }

  const exported = async (person: Person, query: ListQuery, amid: () => Promise<unknown>) =>
    readAll(await begun(person, query), amid)

  /** Takes a permission for a class from somebody. */
  const loses = (person: Person, classId: number, permission: Permission) => () =>
    write(school.db, byTest, (tx) =>
      tx
        .deleteFrom('user_role_classes')
        .where('user_id', '=', person.id)
        .where('class_id', '=', classId)
        .where('role_id', 'in', (of) =>
          of.selectFrom('role_permissions').select('role_id').where('permission', '=', permission),
        )
        .execute(),
    )

  for (const query of [{ columns: 'id' }, { columns: 'id', class_id: [1, 2] }, { columns: 'id,notes' }])
    it(`breaks off where a class of the list is lost, and reads no more of it: ${Object.values(query)}`, async () => {
      for (const lost of [1, 2]) {
        const teacher = await personHolding(school, [all, [1, 2]])
        const { rows, end } = await exported(teacher, query, loses(teacher, lost, 'students.view'))
        assert.equal(end, 'permission_denied')
        assert.ok(rows >= 100 && rows <= 200, `${rows} rows: the first slice, and one that was read already`)
      }
    })

  it('breaks off where a class is lost in which children are found by guardian', async () => {
    const student = { name: 'Ola', class_id: 1, guardians: [{ name: 'Jörg Nord' }] }
    await school.student(registrar, { admission_number: 'cu-1', ...student })
    const seeing: Holding = [
      ['students.view', 'students.export'],
      [1, 2],
    ]
    const teacher = await personHolding(school, seeing, [['students.sensitive'], [1, 2]])
    const file = await begun(teacher, { columns: 'id', guardian: 'nord' })
    await loses(teacher, 2, 'students.sensitive')()
    assert.equal((await readAll(file)).end, 'permission_denied')
  })

  it('breaks off where a class that its caller holds by name is deleted', async () => {
    const administrator = await school.person('administrator')
    const { body } = await school.post('/api/classes', { label: 'Moles' }, administrator)
    const { id } = body.data
    const teacher = await personHolding(school, [all, [1, id]])
    const removal = { as: administrator, headers: { 'if-match': '*' } }
    const { end } = await exported(teacher, { columns: 'id' }, async () => {
      assert.equal((await school.send('DELETE', `/api/classes/${id}`, removal)).status, 200)
    })
    assert.equal(end, 'permission_denied')
  })

  it('breaks off where a child has what the file has no column for', async () => {
    const identifiers = [{ system: 'new', value: 'x' }]
    const guardians = [{ name: 'A' }, { name: 'B' }]
    for (const [column, body] of Object.entries({ identifiers: { identifiers }, guardians: { guardians } })) {
      const change = { as: registrar, body, headers: { 'if-match': '*' } }
      const { rows, end } = await exported(registrar, { columns: `id,${column}` }, async () => {
        assert.equal((await school.send('PATCH', '/api/students/300', change)).status, 200)
      })
      assert.match(end, /^a student has /)
      assert.equal(rows, 200)
    }
  })

  it('breaks off where a field among its columns is archived', async () => {
    const administrator = await school.person('administrator')
    const { body } = await school.post('/api/fields', { label: 'Bus', kind: 'text' }, administrator)
    const { id } = body.data
    const change = { as: administrator, body: { archived: true }, headers: { 'if-match': '*' } }
    const { end } = await exported(registrar, { columns: 'id,fields.bus' }, async () => {
      assert.equal((await school.send('PATCH', `/api/fields/${id}`, change)).status, 200)
    })
    assert.equal(end, 'validation_failed')
  })

  it('comes whole where a class is lost that the list does not ask for, or one more is held', async () => {
    const teacher = await personHolding(school, [all, [1, 2]])
    const lost = await exported(teacher, { columns: 'id', class_id: [1] }, loses(teacher, 2, 'students.view'))
    assert.deepEqual(lost, { rows: 301, end: 'whole' })
    const ofOne = await personHolding(school, [all, [1]])
    const gains = () => grant(school, ofOne, [['students.view', 'students.export'], [3]])
    const gained = await exported(ofOne, { columns: 'id,notes' }, gains)
    assert.deepEqual(gained, { rows: 301, end: 'whole' })
  })
})
