import { writeFileSync } from 'node:fs'
import { readConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { type Command, CommandError } from './command.ts'
import { temporaryDatabaseUrl } from './database.ts'

/** `openapi` */
export const openapi: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI document of the API',
  options: { out: { value: 'FILE', describe: 'Write it to a file instead' } },
  help: 'The document is that of the default settings, and needs no database.',
  async run({ options: { out } }) {
    const document = await defaultDocument()
    const text = JSON.stringify(document, null, 2)
    if (out === undefined) return { data: document, text }
    try {
      writeFileSync(out, `${text}\n`)
    } catch (error) {
      throw new CommandError(`The document can't be written: ${(error as Error).message}`)
    }
    return { data: { file: out }, text: `Wrote ${out}.` }
  },
}

async function defaultDocument(): Promise<unknown> {
  const databaseUrl = temporaryDatabaseUrl()
  await using db = await openDatabase(databaseUrl, { create: true })
  const { buildApp } = await import('../app.ts')
  const app = await buildApp({ config: readConfig({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }), db })
  const document = await app.describe()
  await app.close()
  return document
}
