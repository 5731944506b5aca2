import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { resolveAsWritten } from '../src/cli/resolve-as-written.ts'

/*
 * Runs the test files that TEST_FILES names in one process, one after another: see `run.ts`. They stand in a suite,
 * so that none begins before all are loaded, and what they clean up is cleaned up when all have ended. Modules are
 * resolved as the launcher has them resolved, which is a third of what it takes to load a test.
 */

const files: string[] = JSON.parse(process.env.TEST_FILES!)
setTimeout(endLate, Number(process.env.TEST_LONGEST_MS)).unref()

/** The runner waits for ever for what a test left behind that does not end. */
function endLate(): never {
  console.error(`These tests took too long, or left something that does not end: ${files.join(', ')}`)
  process.exit(1)
}

/** What the runner made by `async_hooks` to follow each promise to the test that began it: a seventh of what tests take. */
const followers: AsyncHook[] = []
const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  followers.push(hook)
  return hook
}
const { describe } = await import('node:test')

resolveAsWritten()
describe('together', async () => {
  for (const file of files) await import(`../${file}`)
  // A suite is found so while files are loaded. Later it only tells in which test an error was that nobody caught.
  if (files.length > 1) for (const hook of followers) hook.disable()
})
