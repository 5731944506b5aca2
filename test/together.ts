/* Runs the test files that TEST_FILES names in one process, one after another: see `run.ts`. */

for (const file of JSON.parse(process.env.TEST_FILES!) as string[]) await import(`../${file}`)
