import { describe } from 'node:test'

/*
 * Runs the test files that TEST_FILES names in one process, one after another: see `run.ts`. They stand in a suite,
 * so that none begins before all are loaded, and what they clean up is cleaned up when all have ended.
 */

describe('together', async () => {
  for (const file of JSON.parse(process.env.TEST_FILES!) as string[]) await import(`../${file}`)
})
