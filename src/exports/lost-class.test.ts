import assert from 'node:assert/strict'
import { it } from 'node:test'
import { insertStudents } from '../../test/many-students.ts'
import { openSchool } from '../../test/school.ts'
import { readCsv } from '../../test/sheets.ts'
import { listRequest } from '../students/list-request.ts'
import { openStudentLists } from '../students/lists/lists.ts'
import { beginFile } from './students-file.ts'

it('an export reads no more of a class that its caller lost meanwhile', async (t) => {
  const { db } = await openSchool()
  await insertStudents(db, Array(300).fill('Ada')) // of class 1
  const query = { columns: 'id' }
  const before = await listRequest(db, query, { scope: 'all', scopeBesides: 'all' })
  const after = await listRequest(db, query, { scope: [2], scopeBesides: 'all' })
  let isLost = false
  const listNow = async () => (isLost ? after : before)
  const lists = openStudentLists(db)
  t.after(() => lists.close())
  const file = await beginFile({ db, lists, listNow }, { type: 'csv', delimiter: ',', bom: false })
  let rows = 0
  for await (const piece of file) {
    isLost = true
    rows += readCsv(piece).length
  }
  const [header, slice] = [1, 100]
  assert.ok(rows <= header + 2 * slice, `${rows} rows: the first slice, and one that was read already`)
  assert.equal(file.isWhole, true)
})
