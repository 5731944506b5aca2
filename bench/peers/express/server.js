import { pino } from 'pino'
import { createApp } from './app.js'
import { openDatabase } from './database.js'

/*
 * The server as a process of its own: settings from the environment, the log on standard output. It tells
 * its parent the port, and ends when the parent lets it go.
 */

const { DATABASE, JWT_SECRET, PORT = '0', HOST = '127.0.0.1' } = process.env
const db = openDatabase(DATABASE)
const app = createApp({ db, secret: JWT_SECRET, logger: pino({ base: null }) })
const server = app.listen(Number(PORT), HOST, () => process.send?.({ port: server.address().port }))

function stop() {
  server.close(() => {
    db.close()
    process.exit()
  })
  server.closeIdleConnections()
}

process.once('disconnect', stop)
process.once('SIGTERM', stop)
