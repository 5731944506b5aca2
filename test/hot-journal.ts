import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sqlitePath } from '../src/db/open.ts'

/** Holds a transaction of which half is in the file already: few pages may wait in memory. */
const deleting = `
  const db = new (require('node:sqlite').DatabaseSync)(process.argv[1])
  db.exec('pragma journal_mode = ' + process.argv[2] + '; pragma cache_size = 5; begin')
  db.exec(process.argv[3])
  console.log('half done')
  process.stdin.resume()`

/**
 * Kills a program in the middle of a write to a SQLite file: it leaves a -journal that undoes what the file
 * already holds of it. In the mode `wal` it leaves a -wal.
 */
export async function killMidWrite(
  databaseUrl: string,
  mode: 'delete' | 'wal' = 'delete',
  statement = 'delete from students',
): Promise<void> {
  const child = spawn(process.execPath, ['-e', deleting, sqlitePath(databaseUrl), mode, statement], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await exited
}
