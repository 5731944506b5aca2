import { writeFileSync } from 'node:fs'
import { seedDatabases } from './databases.ts'
import { writeDocument } from './document.ts'
import { explainStatements } from './explain.ts'
import { inTemporaryFolder } from './folder.ts'
import { describeMachine, inWords } from './machine.ts'
import { operations } from './operations.ts'
import { type Options, readOptions } from './options.ts'
import { startPostgres } from './postgres.ts'
import { benchSeries } from './series.ts'
import { benchSharedCommits } from './shared-commits.ts'
import { benchOperations } from './suite.ts'

/*
 * The benchmark: Registrar as a process of its own on a seeded database, on each engine, and a bare node:http
 * server beside it, in turns. README.md says what each row means.
 */

const options = readOptions(
  process.argv.slice(2),
  operations.map(({ name }) => name),
)
const machine = describeMachine()
const figures = await measure(options)
if (options.json !== undefined && figures !== undefined)
  writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`)

/** Does what the options ask for. @returns the figures, for programs */
async function measure(options: Options): Promise<object | undefined> {
  if (options.instead === 'report') return void writeDocument(options.files)
  if (options.instead === 'series') return void (await benchSeries(options))
  console.log(inWords(machine))
  if (options.instead === 'explain') return void (await explain(options))
  if (options.instead === 'shared-commits') return benchSharedCommits(options)
  if (options.instead === 'flood') return (await import('./flood.ts')).benchFlood(options)
  if (options.instead === 'exports') return (await import('./exports.ts')).benchExports(options)
  if (options.instead === 'imports') return (await import('./imports.ts')).benchImports(options)
  if (options.instead === 'console') return (await import('./console.ts')).benchConsole(options)
  return benchOperations(options, machine)
}

async function explain({ scale }: Options): Promise<void> {
  const postgres = await startPostgres()
  try {
    await inTemporaryFolder(async (folder) => {
      const { databases } = await seedDatabases(folder, scale, [], postgres)
      await explainStatements(databases[0]!.url, databases[0]!.seeded)
    })
  } finally {
    await postgres.stop()
  }
}
