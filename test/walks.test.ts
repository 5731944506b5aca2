// Runs once, alone: it looks at which code of its process runs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { listen } from '../src/server/listen.ts'
import { atEnd } from './cleanup.ts'
import { openSchool } from './school.ts'
import { projectFolder } from './server.ts'

/** A walk has at most so many files. */
const mostFiles = 20

/** The files that a column of ARCHITECTURE.md's table of the walks names: `room/`: `file` `file`, or `room/file`. */
function filesNamed(column: number): string[] {
  const page = readFileSync(join(projectFolder, 'docs/ARCHITECTURE.md'), 'utf8')
  const table = /## Two walks[\s\S]*?\n(\|[\s\S]*?)\n\n/.exec(page)![1]!
  const rows = table.split('\n').slice(2)
  return rows.flatMap((row) => {
    const cells = row.split('|').map((cell) => cell.trim())
    const cell = cells[column] === 'the same' ? cells[3]! : cells[column]!
    return cell.split(',').flatMap((part) => {
      const names = [...part.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
      const folder = names[0]?.endsWith('/') ? names.shift() : ''
      return names.map((name) => `${folder}${name}.ts`)
    })
  })
}

describe('the walks in ARCHITECTURE.md', async () => {
  const school = await openSchool()
  const registrar = await school.person('registrar')
  const id = await school.student(registrar, { name: 'Zoe Walker' })
  const listening = await listen(school.app, '127.0.0.1', 0)
  atEnd(() => listening.cut())
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${listening.port}${path}`, {
      headers: { authorization: `Bearer ${registrar.token}` },
    })
    assert.equal(answer.status, 200)
    await answer.text()
  }

  /** The files of `src/` whose functions run while this is asked, when all that it asks is warm. */
  async function filesThatRun(path: string): Promise<string[]> {
    for (let i = 0; i < 4; i++) await get(path)
    await session.post('Profiler.takePreciseCoverage')
    await get(path)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0))
      .flatMap(({ url }) => /\/src\/(.*\.ts)$/.exec(url)?.[1] ?? [])
      .sort()
  }

  for (const [path, column] of [
    ['/api/students?search=zoe', 3],
    [`/api/students/${id}`, 4],
  ] as const) {
    it(`GET ${path} runs the files that it names, at most ${mostFiles}`, async () => {
      const files = await filesThatRun(path)
      assert.deepEqual(filesNamed(column).sort(), files)
      assert.ok(files.length <= mostFiles, `${files.length} files`)
    })
  }
})
