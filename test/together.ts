import { describe } from 'node:test'
import { resolveAsWritten } from '../src/cli/resolve-as-written.ts'

/*
 * Runs the test files that TEST_FILES names in one process, one after another: see `run.ts`. They stand in a suite,
 * so that none begins before all are loaded, and what they clean up is cleaned up when all have ended. Modules are
 * resolved as the launcher has them resolved, which is a third of what it takes to load a test.
 */

resolveAsWritten()
describe('together', async () => {
  for (const file of JSON.parse(process.env.TEST_FILES!) as string[]) await import(`../${file}`)
})
