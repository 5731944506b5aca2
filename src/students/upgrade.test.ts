// Runs once: PostgreSQL stores students as it did.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { runWell } from '../../test/command.ts'
import { newDatabaseUrl } from '../../test/engine.ts'
import { inFile } from '../../test/files.ts'
import { type OldStudent, oldStudentRow } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase } from '../db/open.ts'
import { write } from '../events/write.ts'
import { isKeyText } from '../text/normalise.ts'
import { searchPatterns, searchText } from '../text/search-words.ts'

/** A database that the first versions of the schema made, with students; afterwards some statements ran. */
async function oldDatabase(version: number, students: readonly OldStudent[], ...after: string[]) {
  const databaseUrl = await newDatabaseUrl()
  const db = await openDatabase(databaseUrl, { create: true })
  await migrate(db, migrations.slice(0, version))
  await write(db, byTest, async (db) => {
    for (const student of students) await db.insertInto('students').values(oldStudentRow(student)).execute()
    for (const statement of after) await sql.raw(statement).execute(db)
  })
  await db.destroy()
  return databaseUrl
}

/** Migrates, and has `check` look at all. @returns what ran */
async function upgrade(databaseUrl: string): Promise<string[]> {
  const { ran } = (await runWell(['migrate', '--json'], { databaseUrl })).json()
  const { faults, not_checked } = (await runWell(['check', '--json'], { databaseUrl })).json()
  assert.deepEqual([faults, not_checked], [[], []])
  return ran
}

/** The migrations that follow one. */
const namesAfter = (version: number) => migrations.slice(version).map(({ name }) => name)

async function idsOf(school: School, viewer: Person, query: string): Promise<number[]> {
  const answer = await school.get(`/api/students?per_page=1000&${query}`, viewer)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map(({ id }: { id: number }) => id)
}

describe('a database that the first version made', () => {
  const names = Array.from({ length: 6_000 }, (_, i) => `Student Number${i + 1}`)

  it('is migrated with its students: found by their words, counted, and nothing is wrong with it', async () => {
    const students = ['Zoë Müller', '李小龙', ...names, 'Last One'].map((name, i) => ({
      name,
      number: `${i + 1}`,
    }))
    const databaseUrl = await oldDatabase(1, students, 'delete from students where id between 1000 and 1499')
    assert.deepEqual(await upgrade(databaseUrl), namesAfter(1))

    const school = await openSchool({ databaseUrl })
    const viewer = await school.person('viewer')
    const finds: [search: string, ids: number[]][] = [
      ['zoe', [1]],
      ['m üll', [1]],
      ['小龙', [2]],
      ['number4093', [4095]],
      ['umber409', [411, ...Array.from({ length: 10 }, (_, i) => 4092 + i)]],
      ['number1200', []],
      ['5999 stud', [5999, 6001]],
      ['last one', [6003]],
    ]
    for (const [search, ids] of finds)
      assert.deepEqual(await idsOf(school, viewer, `search=${encodeURIComponent(search)}`), ids, search)
    const { body } = await school.get('/api/students?page=5503&per_page=1', viewer)
    assert.deepEqual([body.data[0].id, body.pagination.total], [6003, 5503])
  })
})

describe('a database of the third version', () => {
  const students: readonly OldStudent[] = [
    { name: 'Zoë Müller', number: 'gs-2026-000001', created: 5 },
    { name: 'zoe müller', number: 'GS-2026-000002', preferred_name: 'Zo-Zo Müller', created: 3 },
    { name: '李小龙', number: '2026/0042', preferred_name: 'Bruce 李', created: 4 },
    { name: 'O’Brien-Łukasz  (Ann)', number: 'A 17-0009', created: 1_000 },
    { name: 'さくら 山本', number: 'É-№5ß', preferred_name: "d'Arc", created: 1_001 },
    { name: 'Nguyễn¨Văn\u1680Ổ', number: 'x\u00a0y\u1680z-1', created: 999 },
    { name: 'ZOE MULLER', number: '12345678901234567890', preferred_name: 'zoe', created: 2 },
    { name: '\u00ad-', number: 'カﾞ\u200dか', created: 86_400_000 },
    { name: 'abcdefgh'.repeat(5), number: 'schoolcode-2026-0001', created: 1 },
    { name: '100% _"\\ AND', number: '100%', preferred_name: '*NEAR(a', created: 0 },
  ]
  const texts = students.map(({ name, preferred_name = '', number }) =>
    searchText(name, preferred_name, number),
  )
  /** Whole words, what they begin and end with, what is in them, and pairs of all that. */
  const searches = texts.flatMap((text, i) => {
    const words = text.split(' ').flatMap((word) => {
      const letters = [...word]
      const part = (from: number, to?: number) => letters.slice(from, to).join('')
      return [word, part(0, 1), part(0, 2), part(0, 3), part(0, 7), part(1), part(2, 9), part(-6), part(-9)]
    })
    return [...words, ...words.map((word) => `${word} ${words.at(i - 9)}`)]
  })
  const found = (search: string) => {
    const patterns = searchPatterns(search)
    return texts.flatMap((text, i) => (patterns.every((pattern) => text.includes(pattern)) ? [i + 1] : []))
  }
  let databaseUrl: string
  let school: School
  let viewer: Person
  before(async () => {
    databaseUrl = await oldDatabase(
      3,
      students,
      'update students set class_id = 2 where id in (3, 5)',
      "insert into search_totals values ('zoe', 3), ('  y', 1)",
    )
    assert.deepEqual(await upgrade(databaseUrl), namesAfter(3))
    school = await openSchool({ databaseUrl })
    viewer = await school.person('viewer')
  })

  it('finds after migration 4 whom it found before, and nobody else', async () => {
    for (const search of new Set(searches))
      assert.deepEqual(
        await idsOf(school, viewer, `search=${encodeURIComponent(search)}`),
        found(search),
        JSON.stringify(search),
      )
  })

  it('stores what a new student of the same data would be stored with', async () => {
    const registrar = await school.person('registrar')
    const stored = () =>
      inFile(databaseUrl, (db) =>
        db
          .prepare('select folded_name, admission_key, further_words from students order by id')
          .all()
          .map((row) => ({ ...row, further_words: String(row.further_words).split(' ').sort().join(' ') })),
      )
    const before = stored()
    const numbered = async (id: number, admission_number: string) => {
      const sending = { as: registrar, body: { admission_number }, headers: { 'if-match': '*' } }
      const answer = await school.send('PATCH', `/api/students/${id}`, sending)
      assert.equal(answer.status, 200, answer.text)
    }
    for (const [i, { number }] of students.entries()) {
      if (!isKeyText(number)) continue // refused by now
      await numbered(i + 1, 'other')
      await numbered(i + 1, number)
    }
    assert.deepEqual(stored(), before)
  })

  it('lists in the same orders', async () => {
    const orders: [sort: string, ids: number[]][] = [
      ['name', [8, 10, 9, 6, 4, 7, 1, 2, 5, 3]],
      ['created_at', [10, 9, 7, 2, 3, 1, 6, 4, 5, 8]],
      ['admission_number', [10, 7, 3, 4, 1, 2, 9, 6, 5, 8]],
    ]
    for (const [sort, ids] of orders) {
      assert.deepEqual(await idsOf(school, viewer, `sort=${sort}`), ids, sort)
      assert.deepEqual(await idsOf(school, viewer, `sort=-${sort}`), ids.toReversed(), sort)
    }
    assert.deepEqual(await idsOf(school, viewer, 'class_id=2&search=李'), [3])
  })
})
