import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, copyFileSync, openSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, describe, it } from 'node:test'
import pg from 'pg'
import { temporaryFolder } from '../../test/cleanup.ts'
import { runCommand } from '../../test/command.ts'
import { engine } from '../../test/engine.ts'
import { openSchool, type School } from '../../test/school.ts'
import { openStudentLists } from '../students/lists/lists.ts'
import { ImportJob } from './import-job.ts'

const lineOf = (i: number) => `Ada Number${i},k-${i},Class 1\n`

describe('the file of import', () => {
  let school: School
  const folder = temporaryFolder()
  const path = join(folder, 'file.csv')
  before(async () => {
    school = await openSchool()
  })

  const imports = async () => (await school.db.selectFrom('imports').select('id').execute()).length

  /** Begins to import a file, in this process. */
  function begin(path: string, ending = new AbortController().signal) {
    const lists = openStudentLists(school.db)
    const parts = { db: school.db, lists, by: { command: 'import' }, ending }
    return { lists, begun: ImportJob.begin(parts, path, { kind: 'students', mode: 'upsert' }) }
  }

  async function assertRefused(path: string, said: RegExp) {
    const before = await imports()
    const { status, stdout, stderr } = await runCommand(['import', path], school)
    assert.deepEqual([status, stdout], [1, ''], path)
    assert.match(stderr, said)
    assert.equal(await imports(), before, `${path}: something was stored`)
  }

  it('is refused by its first bytes, before anything of it is stored', async () => {
    const bytes = Buffer.alloc(300_000, 'name,class\n')
    bytes[60_000] = 0
    writeFileSync(path, bytes)
    await assertRefused(path, /^The file .*file\.csv is not imported\. This is neither a text nor a spread/)
    writeFileSync(path, '%PDF-1.7')
    await assertRefused(path, /This is a PDF\. Open it in a spreadsheet/)
    await assertRefused('/dev/zero', /This is neither a text nor a spreadsheet/)
    await assertRefused('/dev/null', /^The file \/dev\/null is empty\.\n$/)
  })

  it('is refused where it is the database itself, which would grow by each piece that is read of it', async () => {
    if (engine !== 'sqlite') return
    const database = school.databaseUrl.slice('sqlite:'.length)
    copyFileSync(`${database}-wal`, path)
    for (const one of [database, `${database}-wal`, path])
      await assertRefused(one, /This is neither a text nor a spreadsheet/)
  })

  it('is read as far as it goes when it is opened', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => lineOf(i))
    const content = `name,admission_number,class\n${lines.join('')}`
    writeFileSync(path, content)
    const { lists, begun } = begin(path)
    appendFileSync(path, lines.join(''))
    const job = await begun
    const { file_bytes: bytes } = await school.db
      .selectFrom('imports')
      .select('file_bytes')
      .where('id', '=', job.id)
      .executeTakeFirstOrThrow()
    assert.equal(Number(bytes), content.length)
    await job.end()
    lists.close()
  })

  it('has at most as many bytes as IMPORT_MAX_BYTES can allow', async () => {
    writeFileSync(path, lineOf(1).repeat(4_000))
    truncateSync(path, 1_073_741_825)
    await assertRefused(path, /^The file .*file\.csv has more than 1073741824 bytes\.\n$/)
  })

  it('is told to be left where the database fails meanwhile', async () => {
    writeFileSync(path, `name,admission_number,class\n${lineOf(1)}`)
    const { lists, begun } = begin(path)
    const job = await begun
    await using _held = await holdWrites()
    await assert.rejects(job.end(), {
      name: 'CommandError',
      message: new RegExp(`^The database can't be used: .+\\. Import ${job.id} is left as it is by now\\. `),
    })
    lists.close()
  })

  /** Keeps all others from writing imports. */
  async function holdWrites(): Promise<AsyncDisposable> {
    if (engine === 'sqlite') {
      const other = new DatabaseSync(school.databaseUrl.slice('sqlite:'.length))
      other.exec('begin immediate')
      return { [Symbol.asyncDispose]: async () => other.close() }
    }
    const other = new pg.Client({ connectionString: school.databaseUrl })
    await other.connect()
    await other.query('begin; lock table imports in access exclusive mode')
    return { [Symbol.asyncDispose]: () => other.end() }
  }

  it('is not waited for any more after Ctrl-C', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const before = await imports()
    const ending = new AbortController()
    const { lists, begun } = begin(pipe, ending.signal)
    const writer = openSync(pipe, 'r+')
    ending.abort(new Error('Ctrl-C'))
    await assert.rejects(begun, /Ctrl-C/)
    assert.equal(await imports(), before)
    writeFileSync(writer, 'x') // ends the read that waits
    lists.close()
  })
})
