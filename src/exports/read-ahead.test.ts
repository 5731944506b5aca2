import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { onlyOn } from '../../test/engine.ts'
import { revokeAll } from '../../test/grants.ts'
import { insertStudents } from '../../test/many-students.ts'
import { openSchool } from '../../test/school.ts'
import { getAuthority } from '../access/authority.ts'
import { openStudentLists } from '../students/lists/lists.ts'
import { exportedList } from './exported-list.ts'
import { beginFile } from './students-file.ts'

// On SQLite nothing is read ahead.
describe('an export whose next students are read already', onlyOn('postgres'), () => {
  it('gives none of them to who took long, and may not have them any more', async (t) => {
    const school = await openSchool()
    const { db } = school
    await insertStudents(db, Array(300).fill('Ada'))
    const { id, ...person } = await school.person('registrar')
    let admitted = 0
    const listNow = await exportedList(db, { columns: 'id' }, async () => {
      const authority = await getAuthority(db, id)
      admitted++
      return authority
    })
    const source = { db, lists: openStudentLists(db), listNow }
    const file = await beginFile(source, { type: 'csv', delimiter: ',', bom: false })
    const pieces = file[Symbol.asyncIterator]()
    t.after(() => pieces.return?.())
    await pieces.next()
    while (admitted < 4) await turn() // for the columns, the file, its first students, and the next
    const { now } = performance
    t.mock.method(performance, 'now', () => now.call(performance) + 1_001)
    await revokeAll(school, { id, ...person })
    await assert.rejects(pieces.next(), { code: 'permission_denied' })
  })
})
