import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/open.ts'
import { listen } from '../src/server/listen.ts'

/*
 * Registrar on a slow disk, as a process of its own: every commit takes some milliseconds more. It ends when
 * its parent lets go of it.
 */

const [databaseUrl = '', flushDelayMs = ''] = process.argv.slice(2)
const config = readConfig({ DATABASE_URL: databaseUrl })
const db = await openDatabase(databaseUrl, { flushDelayMs: Number(flushDelayMs) })
const app = await buildApp({ config, db, logStream: { write() {} } })
const listening = await listen(app, '127.0.0.1', 0)

process.on('disconnect', async () => {
  await listening.stop()
  await db.destroy()
  process.exit()
})
process.send!({ port: listening.port })
