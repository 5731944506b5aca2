// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/cleanup.ts'
import { CommandError } from './command.ts'
import { writeNewFile } from './new-file.ts'

describe('a new file', () => {
  const folder = temporaryFolder()
  const bytes = new TextEncoder().encode('whole\n')

  it('is there as a whole, for its user alone', async () => {
    const file = join(folder, 'one.csv')
    await writeNewFile(
      file,
      (async function* () {
        yield bytes
        yield bytes
      })(),
    )
    assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], ['whole\nwhole\n', 0o600])
    assert.equal(statSync(file).nlink, 1)
    assert.deepEqual(readdirSync(folder), ['one.csv'])
  })

  it('never replaces one that came while it was written', async () => {
    const file = join(folder, 'two.csv')
    const written = writeNewFile(
      file,
      (async function* () {
        yield bytes
        writeFileSync(file, 'mine')
      })(),
    )
    await assert.rejects(written, (error) => error instanceof CommandError && /exists/.test(error.message))
    assert.equal(readFileSync(file, 'utf8'), 'mine')
    assert.deepEqual(readdirSync(folder), ['one.csv', 'two.csv'])
  })

  it('is not to blame where its content fails, as a connection to the database does', async () => {
    const lost = Object.assign(new Error('read ECONNRESET'), { syscall: 'read', code: 'ECONNRESET' })
    const written = writeNewFile(
      join(folder, 'three.csv'),
      (async function* () {
        yield bytes
        throw lost
      })(),
    )
    await assert.rejects(written, (error) => error === lost)
    await assert.rejects(
      writeNewFile(join(folder, 'none', 'four.csv'), (async function* () {})()),
      (error) => {
        return error instanceof CommandError && /can't be written: ENOENT/.test(error.message)
      },
    )
    assert.deepEqual(readdirSync(folder), ['one.csv', 'two.csv'])
  })
})
