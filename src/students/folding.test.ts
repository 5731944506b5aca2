import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { runWell } from '../../test/command.ts'
import { engine, newDatabaseUrl } from '../../test/engine.ts'
import { checkSearchIndex, oldFold, oldKey } from '../../test/many-students.ts'
import { byTest, openSchool, type Person, type School } from '../../test/school.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { searchText } from '../db/migrations/search-text-of-0003.ts'
import { openDatabase } from '../db/open.ts'
import { write } from '../events/write.ts'

/** A student's row as the version before migration 9 wrote it. All words stand in `further_words`. */
function oldRow(name: string, admission_number: string) {
  const text = searchText(name, admission_number)
  const searched =
    engine === 'postgres'
      ? { search_text: text }
      : { further_words: ` ${text.split('  ').filter(Boolean).join(' ')}` }
  const now = '2026-09-01T08:00:00.000Z'
  const given = { name, admission_number, class_id: 1, created_at: now, updated_at: now }
  const folded_name = oldFold(name)
  return { ...given, admission_key: oldKey(admission_number), folded_name, ...searched }
}

async function idsOf(school: School, who: Person, search: string): Promise<number[]> {
  const answer = await school.get(`/api/students?search=${encodeURIComponent(search)}`, who)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map(({ id }: { id: number }) => id)
}

/** A search, and a name that it finds. */
const finds: readonly (readonly [search: string, name: string])[] = [
  ["d'angelo", 'D’Àngelo'],
  ['d’angelo', "D'Angelo"],
  ['o´brien', 'O’Brien'],
  ['jean-luc', 'Jean–Luc'],
  ['jean‑luc', 'Jean-Luc'],
  ['محمد', 'محمـد'],
  ['كريم', 'کریم'],
  ['موسي', 'موسى'],
  ['thordur', 'Þórður'],
  ['ghaxaq', 'Għaxaq'],
]

describe('a search', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  for (const [search, name] of finds) {
    it(`for ${search} finds ${name}`, async () => {
      const id = await school.student(registrar, { name })
      assert.ok((await idsOf(school, registrar, search)).includes(id))
    })
  }

  it('finds accounts in the same way', async () => {
    const administrator = await school.person('administrator')
    const sending = {
      as: administrator,
      body: { name: 'Ana D’Àngelo', email: 'ana@school.example', password: 'a long enough password' },
    }
    const made = await school.send('POST', '/api/users', sending)
    assert.equal(made.status, 201, made.text)
    const { body } = await school.get("/api/users?search=d'angelo", administrator)
    assert.deepEqual(
      body.data.map(({ id }: { id: number }) => id),
      [made.body.data.id],
    )
  })

  it('finds classes in the same way', async () => {
    const label = 'Année 1–2 «L’Été»'
    const made = await school.post('/api/classes', { label }, registrar)
    assert.equal(made.status, 201, made.text)
    const { body } = await school.get(`/api/classes?search=${encodeURIComponent("1-2 l'ete")}`, registrar)
    assert.deepEqual(
      body.data.map(({ id }: { id: number }) => id),
      [made.body.data.id],
    )
  })
})

describe('what looks alike', () => {
  let school: School
  let registrar: Person
  let administrator: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    administrator = await school.person('administrator')
  })

  it('is one child to duplicates=refuse', async () => {
    const child = (name: string, admission_number: string) => ({ name, admission_number, class_id: 1 })
    await school.student(registrar, { name: "Aoife O'Brien" })
    const again = await school.post(
      '/api/students?duplicates=refuse',
      child('Aoife O’Brien', 'dup-2'),
      registrar,
    )
    assert.deepEqual([again.status, again.body.code], [409, 'possible_duplicate'])
  })

  for (const number of ['x‑1', 'X–1', 'Ｘ－１', 'x−1'])
    it(`is one admission number: X-1 and ${number}`, async () => {
      const body = { name: 'Ada Lovelace', admission_number: 'X-1', class_id: 1 }
      await school.post('/api/students', body, registrar)
      const twin = await school.post('/api/students', { ...body, admission_number: number }, registrar)
      assert.deepEqual([twin.status, twin.body.code], [409, 'admission_number_taken'])
    })

  it('is one label, and one name of a role', async () => {
    const label = await school.post('/api/classes', { label: 'Ｃｌａｓｓ 1' }, registrar)
    assert.deepEqual([label.status, label.body.code], [409, 'class_label_taken'])
    const role = { name: 'ａｄｍｉｎｉｓｔｒａｔｏｒ', permissions: [] }
    const made = await school.post('/api/roles', role, administrator)
    assert.deepEqual([made.status, made.body.code], [409, 'role_name_taken'])
  })

  const invisible = ['A\u200b1', 'A\u00ad1', 'A\u2060', '\u200b', '\u3164', '\u2800', 'A\ufeffB', 'A\ufe0f']
  for (const text of invisible) {
    it(`is refused where it holds what cannot be seen: ${JSON.stringify(text)}`, async () => {
      const student = { name: 'Ada Lovelace', admission_number: 'free', class_id: 1 }
      const refused: [path: string, pointer: string, body: object][] = [
        ['/api/students', '/admission_number', { ...student, admission_number: text }],
        ['/api/students', '/name', { ...student, name: text }],
        ['/api/students', '/preferred_name', { ...student, preferred_name: text }],
        ['/api/classes', '/label', { label: text }],
        ['/api/roles', '/name', { name: text, permissions: [] }],
        [
          '/api/auth/register',
          '/name',
          { name: text, email: 'x@y.example', password: 'a long enough password' },
        ],
      ]
      for (const [path, pointer, body] of refused) {
        const answer = await school.post(path, body, administrator)
        assert.equal(answer.status, 422, `${path} ${pointer}: ${answer.text}`)
        const [{ pointer: at, code }] = answer.body.errors
        assert.deepEqual([at, code], [pointer, 'invalid_format'], answer.text)
      }
    })
  }

  it('may hold ZWNJ and ZWJ in names', async () => {
    const id = await school.student(registrar, { name: 'نگار\u200cنژاد' })
    const { body } = await school.get(`/api/students/${id}`, registrar)
    assert.equal(body.data.name, 'نگار\u200cنژاد')
  })
})

describe('a database of the version before', () => {
  let school: School
  let registrar: Person
  const students: readonly (readonly [name: string, number: string])[] = [
    ['One', 'A-1'],
    ['Two', 'A\u200b-1'],
    ['Three', 'A\u20111'],
    ['Four', 'Ａ-1'],
    ['Five', 'B\u20111'],
    ['Six', 'b-1'],
    ['Seven', 'plain-7'],
    ['Eight', 'c\u20118'],
    ['Nine', 'C\u00ad-8'],
    ...finds.map(([, name], i) => [name, `f${i}`] as const),
  ]
  let databaseUrl: string

  before(async () => {
    databaseUrl = await newDatabaseUrl({ empty: true })
    const db = await openDatabase(databaseUrl, { create: true })
    await migrate(db, migrations.slice(0, 8))
    await write(db, byTest, async (db) => {
      for (const [name, number] of students)
        await db.insertInto('students').values(oldRow(name, number)).execute()
      const label = 'Class 1\u200b'
      const row = {
        label,
        label_key: oldKey(label),
        position: 99,
        created_at: '2026-09-01T08:00:00.000Z',
        updated_at: '2026-09-01T08:00:00.000Z',
      }
      await db.insertInto('classes').values(row).execute()
      const role = {
        name: 'administrator\u200b',
        built_in: 0,
        created_at: row.created_at,
        updated_at: row.created_at,
      }
      await db.insertInto('roles').values(role).execute()
    })
    assert.deepEqual(await migrate(db, migrations.slice(0, 9)), ['folding'])
    await migrate(db)
    await db.destroy()
    school = await openSchool({ databaseUrl })
    registrar = await school.person('registrar')
  })

  it('gives the lowest id the key, and marks those of the others with their ids', async () => {
    const rows = await school.db
      .selectFrom('students')
      .select(['admission_key', 'version'])
      .orderBy('id')
      .limit(9)
      .execute()
    assert.deepEqual(
      rows.map(({ admission_key }) => admission_key),
      ['a-1', 'a-1\u00012', 'a-1\u00013', 'a-1\u00014', 'b-1', 'b-1\u00016', 'plain-7', 'c-8', 'c-8\u00019'],
    )
    assert.ok(rows.every(({ version }) => version === 1))
  })

  for (const [i, [search]] of finds.entries()) {
    it(`finds for ${search} whom it did not find`, async () =>
      assert.ok((await idsOf(school, registrar, search)).includes(10 + i)))
  }

  it('finds every twin by the number', async () => {
    assert.deepEqual(await idsOf(school, registrar, 'a-1'), [1, 2, 3, 4])
    if (engine === 'sqlite') await checkSearchIndex(school.db)
  })

  it('lists twins in what check tells', async () => {
    const { ok, twins } = (await runWell(['check', '--json'], { databaseUrl })).json()
    const { id: classId } = await school.db
      .selectFrom('classes')
      .select('id')
      .where('label', '=', 'Class 1\u200b')
      .executeTakeFirstOrThrow()
    const { id: roleId } = await school.db
      .selectFrom('roles')
      .select('id')
      .where('name', '=', 'administrator\u200b')
      .executeTakeFirstOrThrow()
    assert.equal(ok, true)
    assert.deepEqual(twins, [
      ...[2, 3, 4].map((id) => ({ kind: 'student', id, twin_of: 1 })),
      { kind: 'student', id: 6, twin_of: 5 },
      { kind: 'student', id: 9, twin_of: 8 },
      { kind: 'class', id: classId, twin_of: 1 },
      { kind: 'role', id: roleId, twin_of: 1 },
    ])
    const { stdout } = await runWell(['check'], { databaseUrl })
    assert.match(stdout, /student 2 has the admission number of student 1, but for what cannot be seen/)
  })

  it('lets a twin be changed, and be given a number of its own', async () => {
    const patch = (body: object) =>
      school.send('PATCH', '/api/students/2', { as: registrar, body, headers: { 'if-match': '*' } })
    const renamed = await patch({ name: 'Zwei' })
    assert.equal(renamed.status, 200, renamed.text)
    assert.deepEqual(await idsOf(school, registrar, 'zwei'), [2])
    assert.deepEqual(await idsOf(school, registrar, 'a-1'), [1, 2, 3, 4])
    assert.equal((await patch({ admission_number: 'a-1' })).status, 409)
    assert.equal((await patch({ admission_number: 'A-2' })).status, 200)
    assert.deepEqual(await idsOf(school, registrar, 'a-2'), [2])
    const key = await school.db
      .selectFrom('students')
      .select('admission_key')
      .where('id', '=', 2)
      .executeTakeFirstOrThrow()
    assert.equal(key.admission_key, 'a-2')
    if (engine === 'sqlite') await checkSearchIndex(school.db)
  })

  it('gives the number that the first of twins gives up to the next of them, and to no new student', async () => {
    const sending = { as: registrar, body: { admission_number: 'free-1' }, headers: { 'if-match': '*' } }
    assert.equal((await school.send('PATCH', '/api/students/1', sending)).status, 200)
    const { twins } = (await runWell(['check', '--json'], { databaseUrl })).json()
    const pairs = twins.filter(({ kind }: { kind: string }) => kind === 'student')
    assert.deepEqual(pairs, [
      { kind: 'student', id: 4, twin_of: 3 },
      { kind: 'student', id: 6, twin_of: 5 },
      { kind: 'student', id: 9, twin_of: 8 },
    ])
    const again = { name: 'New', admission_number: 'A-1', class_id: 1 }
    assert.equal((await school.post('/api/students', again, registrar)).body.code, 'admission_number_taken')
  })
})
