import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { call } from '../../test/calls.ts'
import { temporaryFolder } from '../../test/cleanup.ts'
import { runCommand, runWell } from '../../test/command.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { firstAdministrator, startServer } from '../../test/server.ts'
import { inline, sheetOf, writtenWorkbook } from '../../test/workbooks.ts'
import { write } from '../events/write.ts'
import { openStudentLists } from '../students/lists/lists.ts'
import { ImportJob } from './import-job.ts'

describe('import', () => {
  let school: School
  let registrar: Person
  let databaseUrl: string
  const folder = temporaryFolder()
  before(async () => {
    school = await openSchool()
    databaseUrl = school.databaseUrl
    registrar = await school.person('registrar')
  })

  const header = 'name,admission_number,class\n'

  function file(name: string, content: string | Buffer): string {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }

  const imports = () => school.db.selectFrom('imports').selectAll().orderBy('id').execute()
  const lastImport = async () => (await imports()).at(-1)!

  async function assertNothingStaged(): Promise<void> {
    const { id, state, emptied_at } = await lastImport()
    assert.deepEqual([state, emptied_at === null], ['cancelled', false])
    for (const table of ['import_chunks', 'import_rows', 'import_plan', 'import_decisions'] as const) {
      const rows = await school.db.selectFrom(table).select('import_id').where('import_id', '=', id).execute()
      assert.equal(rows.length, 0, table)
    }
  }

  const numbered = async (search: string) =>
    (await school.get(`/api/students?search=${search}`, registrar)).body.data

  it('prints nothing of a file that a terminal would obey', async () => {
    const path = file('escapes.csv', `${header}Ok Kid,es-1,Cl\u001b[31m\u202eX\n`)
    const { stdout, stderr } = await runCommand(['import', path], { databaseUrl })
    assert.match(stderr, /--answer 'class\.Cl\[31mX=/)
    for (const sign of ['\u001b', '\u202e']) assert.ok(!(stdout + stderr).includes(sign))
  })

  it('prints the plan, changes nothing, and leaves nothing of the file in the database', async () => {
    const [id] = [await school.student(registrar, { name: 'Bo Berg', admission_number: 'pl-1', class_id: 2 })]
    const path = file(
      'plan.csv',
      `${header}Bo Burg,pl-1,Class 2\nAda Lund,pl-2,Class 3\nCy,pl-3,Class 4711\n`,
    )
    const asked = await runCommand(['import', path], { databaseUrl })
    assert.deepEqual([asked.status, asked.stdout], [1, ''])
    assert.match(
      asked.stderr,
      /No class that you see is called "Class 4711"\..*--answer 'class\.Class 4711=leave_out'/s,
    )
    await assertNothingStaged()
    const { stdout } = await runWell(['import', path, '--answer', 'class.Class 4711=leave_out'], {
      databaseUrl,
    })
    assert.match(stdout, /create +1\n +change +1\n +unchanged +0\n.*left out +1\n +rows +3\n/s)
    assert.ok(stdout.includes(`row 2, student ${id}: name "Bo Berg" → "Bo Burg"\n`), stdout)
    assert.ok(stdout.includes('row 3: name "Ada Lund", admission_number "pl-2", class "Class 3"\n'), stdout)
    assert.match(stdout, /Nothing was changed\. .*--apply --confirm create=1,change=1\n$/)
    await assertNothingStaged()
    assert.equal((await numbered('pl-1'))[0].name, 'Bo Berg')
    assert.deepEqual(await numbered('pl-2'), [])
  })

  it('applies with --apply, in its own name, and says how to take it back', async () => {
    const path = file('apply.csv', `${header}Ada Apply,ap-1,Class 3\nBo Apply,ap-2,Class 3\n`)
    const { stdout } = await runWell(['import', path, '--apply', '--confirm', 'create=2,change=0'], {
      databaseUrl,
    })
    const { id, state, command, user_id } = await lastImport()
    assert.deepEqual([state, command, user_id], ['applied', 'import', null])
    assert.ok(
      stdout.endsWith(
        `Applied as import ${id}: 2 created, 0 changed. To take it back, within 30 days: ./registrar.js import undo ${id}\n`,
      ),
      stdout,
    )
    assert.equal((await numbered('ap-2')).length, 1)
    const { entries } = (await runWell(['audit', 'list', '--json', '--count', '1'], { databaseUrl })).json()
    assert.deepEqual([entries[0].command, entries[0].note], ['import', `import ${id}`])
    const again = (await runWell(['import', path, '--apply', '--json'], { databaseUrl })).json()
    assert.deepEqual([again.applied, again.problem, again.counts.unchanged], [true, null, 2])
    const undone = await school.post(`/api/imports/${id}/undo`, undefined, registrar)
    assert.equal(undone.status, 202, undone.text)
    await school.app.importJobs.idle()
    assert.deepEqual(await numbered('ap-2'), [])
  })

  it('takes answers one after another, and tells those that nobody asked for', async () => {
    const content = 'Name;Adm No;Class\nZo\xeb M\xfcller;an-1;Klass 1\nJ\xf6rg;an-2;Class 2\n'
    const path = file('windows.csv', Buffer.from(content, 'latin1'))
    const first = await runCommand(['import', path, '--json'], { databaseUrl })
    const { problem, questions } = JSON.parse(first.stdout)
    assert.deepEqual([first.status, problem.code, questions[0].key], [1, 'questions', 'encoding'])
    const asked = (await runCommand(['import', path], { databaseUrl })).stderr
    assert.match(asked, /--answer encoding=windows-1252 .*\n +as in: Zoë Müller · Jörg\n/)
    const answers = ['encoding=windows-1252', 'class.Klass 1=1', 'clear=-', 'column.Nothing=leave_out']
    const args = ['import', path, ...answers.flatMap((one) => ['--answer', one])]
    const { stdout } = await runWell(args, { databaseUrl })
    assert.match(stdout, /Nobody asked for this answer: column\.Nothing=leave_out\n/)
    assert.match(stdout, /row 2: name "Zoë Müller", admission_number "an-1", class "Class 1"\n/)
    const applied = await runCommand([...args, '--apply'], { databaseUrl })
    assert.equal(applied.status, 1)
    assert.match(applied.stderr, /--answer column\.Nothing=leave_out: the file has no such column\. Correct/)
    assert.deepEqual(await numbered('an-1'), [])
    const wrong = await runCommand(['import', path, '--answer', 'encoding=morse'], { databaseUrl })
    assert.deepEqual([wrong.status, wrong.stdout], [1, ''])
    assert.match(
      wrong.stderr,
      /^--answer encoding=morse: must be one of windows-1252, .*\nNothing was changed\.\n$/,
    )
    await assertNothingStaged()
  })

  it('names doubtful rows with who they may be, and takes what is said of each', async () => {
    const id = await school.student(registrar, { name: 'Dora Doubt', admission_number: '0071', class_id: 2 })
    const rows = `Dora D,71,Class 2\nElsa Doubt,do-1,Class 2\nFinn,do-1,Class 2\n`
    const path = file('doubt.csv', `${header}${rows}`)
    const refused = await runCommand(['import', path, '--apply'], { databaseUrl })
    assert.equal(refused.status, 1)
    assert.ok(
      refused.stderr.includes(
        `row 2: name "Dora D", admission_number "71", class "Class 2"; admission_number is the number of a student, but for zeros, hyphens and other marks, or the script of its digits: student ${id} (Dora Doubt, 0071)\n`,
      ),
      refused.stderr,
    )
    assert.match(
      refused.stderr,
      /3 rows are doubtful: say what each is with --row, or leave them out with --skip-doubtful\. Nothing was changed\.\n$/,
    )
    await assertNothingStaged()
    const wrong = await runCommand(['import', path, '--row', '2=new', '--row', '17=new'], { databaseUrl })
    assert.deepEqual(
      [wrong.status, wrong.stderr],
      [1, '--row 17: is no row of the file below its header.\nNothing was changed.\n'],
    )
    const settled = await runCommand(['import', path, '--row', '2=new', '--row', '3=new'], { databaseUrl })
    assert.ok(
      settled.stdout.includes('\n  row 2: name "Dora D", admission_number "71", class "Class 2"\n'),
      `${settled.stdout}${settled.stderr}`,
    )
    const said = ['--row', `2=same:${id}`, '--row', '4=leave_out', '--skip-doubtful']
    const { counts } = (await runWell(['import', path, '--apply', '--json', ...said], { databaseUrl })).json()
    assert.deepEqual([counts.change, counts.create, counts.left_out], [1, 1, 1])
    const [dora] = await numbered('0071')
    assert.deepEqual([dora.id, dora.name], [id, 'Dora D'])
    assert.equal((await numbered('do-1'))[0].name, 'Elsa Doubt')
    const kept = file('kept.csv', `${header}Dora Dee,71,Class 5\n`)
    await runWell(['import', kept, '--apply', '--row', `2=same_keep_name:${id}`], { databaseUrl })
    const [{ name, class_id }] = await numbered('0071')
    assert.deepEqual([name, class_id], ['Dora D', 5])
  })

  it('names the row that takes no decision, however many are named before it', async () => {
    const count = 501
    const lines = Array.from({ length: count }, (_, i) => `Mo ${i},mo-${i},Class 2\n`)
    const named = lines.flatMap((_, i) => ['--row', `${i + 2}=leave_out`])
    const args = ['import', file('named.csv', header + lines.join('')), ...named, '--row', '9999=leave_out']
    const { status, stderr } = await runCommand(args, { databaseUrl })
    const said = '--row 9999: is no row of the file below its header.\nNothing was changed.\n'
    assert.deepEqual([status, stderr], [1, said])
  })

  it('writes the refused rows into a new file of the same format, which is imported once it is corrected', async () => {
    const rows = 'Ok Rf,rf-1,Class 1\n,rf-2,Class 2\nPaz Rf,rf-3,Class 3\n,rf-4,Class 4\n'
    const path = file('some-refused.csv', header.replaceAll(',', ';') + rows.replaceAll(',', ';'))
    const refused = join(folder, 'refused.csv')
    const apply = ['import', path, '--skip-refused', '--apply', '--refused']
    const workbook = await runCommand([...apply, join(folder, 'refused.xlsx')], { databaseUrl })
    assert.match(workbook.stderr, /refused\.xlsx: the rows came as CSV, and go back so\.\n$/)
    const unnamed = await runCommand([...apply, join(folder, 'refused')], { databaseUrl })
    assert.deepEqual(
      [unnamed.status, /must be a file that ends in/.test(unnamed.stderr)],
      [2, true],
      unnamed.stderr,
    )
    assert.deepEqual(await numbered('rf-1'), [])
    const { stdout } = await runWell([...apply, refused], { databaseUrl })
    assert.ok(stdout.includes(`The refused rows are in ${refused}, each with what is wrong.`), stdout)
    const written = readFileSync(refused, 'utf8')
    assert.match(
      written,
      /^\uFEFFproblem;name;admission_number;class\r\n[^;]*name[^;]*;;rf-2;Class 2\r\n[^;]+;;rf-4;Class 4\r\n$/,
    )
    const again = await runCommand([...apply, refused], { databaseUrl })
    assert.deepEqual(
      [again.status, again.stderr],
      [1, `${refused} exists; this command never overwrites a file.\n`],
    )
    writeFileSync(refused, written.replaceAll(';;', ';Now Named;'))
    const none = join(folder, 'none.csv')
    const corrected = ['import', refused, '--apply', '--refused', none, '--json']
    const { counts, refused_file: to } = JSON.parse((await runWell(corrected, { databaseUrl })).stdout)
    assert.deepEqual([counts.create, to, existsSync(none)], [2, null, false])
    const known = await runWell(['import', path, '--mode', 'create'], { databaseUrl })
    assert.match(known.stdout, /row 2: admission_number is of .+ only creates: student \d+ \(Ok Rf, rf-1\)\n/)
  })

  it('applies the good rows with --skip-refused alone, and tells what is wrong with the others', async () => {
    const path = file('refused.csv', `${header}Good,re-1,Class 2\n,re-2,Class 2\n`)
    const refused = await runCommand(['import', path, '--apply'], { databaseUrl })
    assert.equal(refused.status, 1)
    assert.match(refused.stderr, /Refused:\n {2}row 3: name is required/)
    assert.match(
      refused.stderr,
      /One row is refused: correct the file, or leave them out with --skip-refused\./,
    )
    assert.deepEqual(await numbered('re-1'), [])
    await runWell(['import', path, '--apply', '--skip-refused'], { databaseUrl })
    assert.equal((await numbered('re-1')).length, 1)
    const none = await runCommand(['import', file('none.csv', 'a,b\n1,2\n')], { databaseUrl })
    assert.deepEqual([none.status, /Nothing was changed\.\n$/.test(none.stderr)], [1, true], none.stderr)
  })

  it('changes very many students only where their number is confirmed, and none where the plan has others', async () => {
    const lines = (name: string) =>
      Array.from({ length: 60 }, (_, i) => `${name} ${i},ma-${i},Class 5`).join('\n')
    await runWell(['import', file('many.csv', `${header}${lines('Before')}`), '--apply'], { databaseUrl })
    const path = file('many.csv', `${header}${lines('After')}`)
    const unconfirmed = await runCommand(['import', path, '--apply'], { databaseUrl })
    assert.equal(unconfirmed.status, 1)
    assert.match(
      unconfirmed.stderr,
      /… and 40 more \(--rows\).*add --confirm change=60\. Nothing was changed\.\n$/s,
    )
    const other = await runCommand(['import', path, '--apply', '--confirm', 'change=59'], { databaseUrl })
    assert.match(other.stderr, /The plan has change=60, and not 59/)
    assert.equal((await numbered('ma-7'))[0].name, 'Before 7')
    await runWell(['import', path, '--apply', '--confirm', 'change=60'], { databaseUrl })
    assert.equal((await numbered('ma-7'))[0].name, 'After 7')
  })

  it('takes rows of several sheets, and names students who are not in the file', async () => {
    const id = await school.student(registrar, { name: 'Gone Girl', admission_number: 'sh-9', class_id: 11 })
    await school.student(registrar, { name: 'Sven Sheet', admission_number: '0081', class_id: 11 })
    const cells = (...texts: string[]) => texts.map(inline)
    const head = cells('name', 'admission_number', 'class')
    const sheets = [
      { name: '7a', ...sheetOf([head, cells('Eva Sheet', 'sh-1', 'Class 11')]) },
      { name: '7 b', ...sheetOf([head, cells('Sven', '81', 'Class 11')]) },
    ]
    const path = file('sheets.xlsx', await writtenWorkbook({ sheets }))
    const args = ['import', path, '--mode', 'mirror']
    const { stdout } = await runWell(args, { databaseUrl })
    assert.match(stdout, /\n {2}7 b!2: name "Sven", .* \(Sven Sheet, 0081\)\n/)
    assert.match(stdout, new RegExp(`Not in the file:\\n.*  student ${id}: name "Gone Girl", `, 's'))
    const said = ['--row', '7 b!2=new', '--apply', '--json']
    const { counts } = (await runWell([...args, ...said], { databaseUrl })).json()
    assert.deepEqual([counts.create, counts.doubtful], [2, 0])
  })

  it('finds nothing to change in what export wrote', async () => {
    const path = join(folder, 'exported.xlsx')
    await runWell(['export', path], { databaseUrl })
    const { counts, problem } = (await runWell(['import', path, '--json'], { databaseUrl })).json()
    assert.deepEqual([counts.rows, counts.unchanged, problem], [counts.unchanged, counts.rows, null])
    assert.ok(counts.rows > 10)
  })

  it('imports classes, and works on no import but its own', async () => {
    const now = school.now().toISOString()
    const waiting = await write(school.db, {}, (tx) =>
      tx
        .insertInto('imports')
        .values({
          ...{ kind: 'students', mode: 'upsert', state: 'reading', file_bytes: 0, settings: '{}', done: 0 },
          ...{ file_hash: Buffer.alloc(32), created_at: now, updated_at: now },
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    const path = file('classes.csv', 'label\nOwls\nFoxes\n')
    await runWell(['import', path, '--kind', 'classes', '--apply'], { databaseUrl })
    const { classes } = (await runWell(['class', 'list', '--json'], { databaseUrl })).json()
    const labels = classes.map(({ label }: { label: string }) => label)
    assert.deepEqual(labels.slice(-2), ['Owls', 'Foxes'])
    const found = (await imports()).find(({ id }) => id === waiting.id)!
    assert.deepEqual([found.state, found.tries], ['reading', 0])
    await write(school.db, {}, (tx) => tx.deleteFrom('imports').where('id', '=', waiting.id).execute())
  })

  it('applies nothing where somebody else has changed the import since it was looked at', async () => {
    const { db } = school
    const ending = new AbortController().signal
    const lists = openStudentLists(db)
    const job = await ImportJob.begin(
      { db, lists, by: { command: 'import' }, ending },
      file('race.csv', `${header}Race,ra-1,Class 2\n`),
      { kind: 'students', mode: 'upsert' },
    )
    const planned = await job.done()
    const tag = (await school.get(`/api/imports/${job.id}`, registrar)).headers.etag
    const patch = { as: registrar, body: { answers: {} }, headers: { 'if-match': String(tag) } }
    assert.equal((await school.send('PATCH', `/api/imports/${job.id}`, patch)).status, 200)
    await school.app.importJobs.idle()
    await assert.rejects(
      job.apply(planned, undefined, undefined),
      /Somebody else has changed the import|made for somebody else/,
    )
    await job.end()
    lists.close()
    assert.deepEqual(await numbered('ra-1'), [])
    await assertNothingStaged()
  })

  it('is to be run again where a record changed since it was planned', async () => {
    const lists = openStudentLists(school.db)
    const parts = { db: school.db, lists, by: { command: 'import' }, ending: new AbortController().signal }
    const path = file('late.csv', `${header}Late,la-1,Class 2\n`)
    const job = await ImportJob.begin(parts, path, { kind: 'students', mode: 'upsert' })
    const planned = await job.done()
    await school.student(registrar, { name: 'Ear Lier', admission_number: 'la-1' })
    await assert.rejects(job.apply(planned, undefined, undefined), {
      message: /marked as outdated\. Run it again\.$/,
    })
    await job.end()
    lists.close()
  })

  it('works beside a server, which shows what was imported at once', async () => {
    const server = await startServer()
    const token = await firstAdministrator(server)
    const path = file('beside.csv', `${header}Zoë Beside,be-1,Class 2\n`)
    await runWell(['import', path, '--apply'], { databaseUrl: server.databaseUrl })
    const { body } = await call(server, 'GET', '/api/students?search=beside', { token })
    assert.equal(body.data[0].name, 'Zoë Beside')
    const undone = await call(server, 'POST', '/api/imports/1/undo', { token })
    assert.equal(undone.status, 202)
    await server.end('SIGTERM')
  })

  it('prints no control characters of a file to the terminal', async () => {
    const path = file('escape.csv', `${header}Ada,\x1b[31mes-1,Class 2\n`)
    const { stdout, stderr } = await runCommand(['import', path], { databaseUrl })
    assert.match(stdout, /row 2: admission_number must .*: "\[31mes-1"\n/)
    assert.ok(!`${stdout}${stderr}`.includes('\x1b'))
  })

  it('says in a sentence what is wrong with a call, or with the file', async () => {
    const path = file('good.csv', `${header}Ada,go-1,Class 2\n`)
    const calls: [args: string[], status: number, said: RegExp][] = [
      [[join(folder, 'nowhere.csv')], 1, /^There is no file .*nowhere\.csv\.\n$/],
      [[folder], 1, /is a folder; name a CSV or XLSX file\.\n$/],
      [[file('empty.csv', '')], 1, /^The file .*empty\.csv is empty\.\n$/],
      [[path, '--kind', 'teachers'], 2, /^--kind must be one of students, classes\.\n/],
      [[path, '--mode', 'replace'], 2, /^--mode must be one of create, update, upsert, mirror\.\n/],
      [[path, '--answer', 'macth=id'], 2, /^--answer must be KEY=ANSWER/],
      [[path, '--row', '2=other'], 2, /^--row must be such as 37=same:7/],
      [[path, '--row', '2=same'], 2, /^--row must be such as 37=same:7/],
      [[path, '--row', '2=same_keep_name'], 2, /^--row must be such as 37=same:7/],
      [[path, '--confirm', 'changed=2'], 2, /^--confirm must be such as create=12,change=3/],
      [[path, '--rows', '-1'], 2, /^--rows needs a value/],
      [[path, '--rows=1001'], 2, /^--rows must be a number from 0 to 1000\.\n/],
    ]
    const before = (await imports()).length
    for (const [args, status, said] of calls) {
      const outcome = await runCommand(['import', ...args], { databaseUrl })
      assert.deepEqual([outcome.status, outcome.stdout], [status, ''], args.join(' '))
      assert.match(outcome.stderr, said)
    }
    assert.equal((await imports()).length, before)
    assert.ok(readdirSync(folder).includes('good.csv'))
  })
})
