import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { before, describe, it } from 'node:test'
import { temporaryFolder } from '../../test/cleanup.ts'
import { runWell } from '../../test/command.ts'
import { openSchool, type School } from '../../test/school.ts'
import { launcher, serverEnvironment } from '../../test/server.ts'
import type { ImportState } from '../imports/model.ts'

describe('a signal to import', () => {
  let school: School
  before(async () => {
    school = await openSchool()
  })

  /** A file of so many rows that a step of its import takes much longer than a signal. */
  function fileOf(rows: number): string {
    const path = join(temporaryFolder(), 'many.csv')
    const lines = Array.from({ length: rows }, (_, i) => `Ada Number${i},k-${i},Class ${1 + (i % 12)}`)
    writeFileSync(path, `name,admission_number,class\n${lines.join('\n')}\n`)
    return path
  }

  const lastImport = () =>
    school.db.selectFrom('imports').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()

  /** Runs the command, and sends it a signal amid a step. @returns by what it ended */
  async function signalled(state: ImportState, signal: NodeJS.Signals, path: string) {
    const before = (await lastImport())?.id ?? 0
    const child = spawn(process.execPath, [launcher, 'import', path, '--apply'], {
      env: serverEnvironment(school.databaseUrl),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const exited = once(child, 'exit')
    const said = text(child.stderr)
    for (;;) {
      const found = await lastImport()
      if (child.exitCode !== null) break
      if (found !== undefined && found.id > before && found.state === state && found.done > 0) break
      await new Promise((resolve) => setImmediate(resolve))
    }
    child.kill(signal)
    const [code, endedBy] = await exited
    return { by: code ?? endedBy, said: await said }
  }

  const isEmptied = async () => {
    const { id } = (await lastImport())!
    const tables = ['import_chunks', 'import_rows'] as const
    const left = tables.map((table) =>
      school.db.selectFrom(table).select('import_id').where('import_id', '=', id),
    )
    return (await Promise.all(left.map((query) => query.executeTakeFirst()))).every(
      (row) => row === undefined,
    )
  }

  it('while the file is planned cancels it, and leaves nothing of it', async () => {
    const { by, said } = await signalled('reading', 'SIGINT', fileOf(20_000))
    assert.deepEqual([by, said], ['SIGINT', 'Ending; nothing is left half done. Once more ends at once.\n'])
    assert.deepEqual([(await lastImport())!.state, await isEmptied()], ['cancelled', true])
    assert.equal(await school.count('students'), 0)
  })

  it('that would pause it, as Ctrl-Z does, is told so, and pauses nothing', async () => {
    const { by, said } = await signalled('applying', 'SIGTSTP', fileOf(3_000))
    assert.deepEqual(
      [by, said],
      [0, "It can't be paused: others could not write meanwhile. Ctrl-C ends it.\n"],
    )
    const { id, state } = (await lastImport())!
    assert.equal(state, 'applied')
    await runWell(['import', 'undo', `${id}`], school)
  })

  it('while it is applied takes back what was applied', async () => {
    const { by } = await signalled('applying', 'SIGTERM', fileOf(5_000))
    assert.equal(by, 'SIGTERM')
    const { state, failure, change_set_id, undo_set_id } = (await lastImport())!
    assert.deepEqual([state, JSON.parse(failure!).code], ['failed', 'interrupted'])
    assert.ok(change_set_id !== null && undo_set_id !== null, 'a part was applied')
    assert.equal(await school.count('students'), 0)
  })
})
