// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { temporaryFile, temporaryFolder } from '../../test/cleanup.ts'
import { openSchool, type School } from '../../test/school.ts'
import { open } from '../access/guard.ts'
import type { App } from '../http/context.ts'
import { importedBy } from './bundle.ts'
import { Console } from './console.ts'
import { consoleRoutes } from './routes.ts'

/** What a browser sends where it is to show what it gets. */
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const get = (school: School, url: string, headers: Record<string, string> = html) =>
  school.app.inject({ method: 'GET', url, headers })

/** The files that the page asks for. */
const filesOf = (page: string) =>
  [...page.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path!)

describe('the page of the console', () => {
  let school: School
  before(async () => {
    school = await openSchool()
  })

  it('says that the console is starting until it is built, and asks again each second', async () => {
    const { statusCode, headers, payload } = await get(school, '/')
    assert.equal(statusCode, 503)
    assert.equal(headers['retry-after'], '1')
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(payload, /starting …/)
    const [path] = filesOf(payload)
    const script = await get(school, path!, {})
    assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(script.headers['cache-control'], 'no-store')
    assert.match(script.payload, /location\.reload\(\), 1000/)
  })

  it('is there when the console is built, with its own policy, and is asked for anew each time', async () => {
    await school.app.console.start()
    const { statusCode, headers, payload } = await get(school, '/')
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers['content-security-policy'], policy)
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(headers.vary, 'Accept')
    assert.match(String(headers.etag), /^"[\w-]{22}"$/)
    assert.doesNotMatch(payload, /<script>|<style|style=|onload=/)
    const again = await get(school, '/', { ...html, 'if-none-match': String(headers.etag) })
    assert.deepEqual([again.statusCode, again.payload], [304, ''])
    assert.equal((await get(school, '/', { ...html, 'if-none-match': '"other"' })).statusCode, 200)
  })

  it('tells after how many minutes without use it is locked', async () => {
    const idleOf = async (env: Record<string, string>) => {
      const { app } = await openSchool({ env })
      await app.console.start()
      const { payload } = await app.inject({ url: '/', headers: html })
      return /<meta name="idle-minutes" content="(\d+)">/.exec(payload)?.[1]
    }
    assert.equal(await idleOf({}), '20')
    assert.equal(await idleOf({ CONSOLE_IDLE_MINUTES: '5' }), '5')
  })

  it('is what HEAD tells of, and what every path outside of the API shows to a browser', async () => {
    const page = await get(school, '/')
    const head = await school.app.inject({ method: 'HEAD', url: '/', headers: html })
    assert.deepEqual([head.statusCode, head.payload, head.headers.etag], [200, '', page.headers.etag])
    for (const path of ['/students', '/students/7?search=zoe', '/a/b/c', '/apis', '/?x=1', '//'])
      assert.equal((await get(school, path)).payload, page.payload, path)
  })

  it('is shown in the place of nothing of the API, nor to programs', async () => {
    for (const path of ['/api/nowhere', '/api', '/%61pi/nowhere', '//api/nowhere', '/api?x=1'])
      assert.equal((await get(school, path)).statusCode, 404, path)
    assert.equal((await get(school, '/api/students')).statusCode, 401)
    assert.equal((await get(school, '/students', { accept: '*/*' })).statusCode, 404)
    assert.equal((await get(school, '/%ff')).statusCode, 400)
    const posted = await school.app.inject({ method: 'POST', url: '/students', headers: html })
    assert.equal(posted.statusCode, 404)
    const reference = await get(school, '/', { accept: '*/*' })
    assert.deepEqual([reference.statusCode, reference.headers.location], [302, '/api/docs'])
  })

  it('asks for a script and a style, kept for ever by the hash in their names, and small', async () => {
    const paths = filesOf((await get(school, '/')).payload)
    assert.deepEqual(
      paths.filter((path) => path.includes('/main-')).map((path) => path.split('.').at(-1)),
      ['css', 'js'],
    )
    let gzipBytes = 0
    for (const path of paths) {
      const plain = await get(school, path, {})
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(plain.headers.vary, 'Accept-Encoding')
      assert.match(path, /^\/console\/(main|chunk)-[A-Z0-9]{8}\.(js|css)$/)
      assert.match(String(plain.headers['content-type']), /^text\/(javascript|css); charset=utf-8$/)
      for (const [coding, decode] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const answer = await get(school, path, { 'accept-encoding': `${coding}, deflate` })
        assert.equal(answer.headers['content-encoding'], coding)
        assert.equal(decode(answer.rawPayload).toString(), plain.payload)
        if (coding === 'gzip') gzipBytes += answer.rawPayload.length
      }
      const preferred = await get(school, path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
      assert.equal(preferred.headers['content-encoding'], 'br')
      const refused = await get(school, path, { 'accept-encoding': 'br;q=0, gzip; q=0.0' })
      assert.equal(refused.headers['content-encoding'], undefined)
    }
    assert.ok(gzipBytes <= 60_000, `${gzipBytes} bytes`)
    assert.equal((await get(school, '/console/main-00000000.js', {})).statusCode, 404)
    assert.equal((await get(school, '/console/..%2fpackage.json', {})).statusCode, 404)
  })
})

describe('the screens of the console that are opened later', () => {
  it('are loaded then, at most 20 kB each', async () => {
    const school = await openSchool()
    await school.app.console.start()
    assert.ok(school.app.console.state.is === 'ready')
    const { page, files } = school.app.console.state.bundle
    const first = new Set(filesOf(page).map((path) => path.split('/').at(-1)!))
    const later = new Set<string>()
    for (const { plain } of files.values())
      for (const [, name] of plain.toString().matchAll(/import\("\.\/([\w-]+\.js)"\)/g)) later.add(name!)
    assert.ok(later.size > 0)
    for (const name of later) {
      const script = files.get(name)!
      const names = [name, ...importedBy(script, [...files.values()])].filter((one) => !first.has(one))
      const bytes = names.reduce((sum, one) => sum + files.get(one)!.gzip.length, 0)
      assert.ok(bytes > 0 && bytes <= 20_000, `${name}: ${bytes} bytes`)
    }
  })
})

describe('a console', () => {
  const faults: string[] = []
  const consoleWith = (parts: { cache?: string; builder?: string }) =>
    new Console({ onAbsent: (fault) => faults.push(fault), idleMinutes: 20, ...parts })

  /** A builder that says this and ends. */
  function builderThat(text: string): string {
    const path = temporaryFile('builder.mjs', text)
    return path
  }

  it('is built once, and found by later starts', async () => {
    const cache = temporaryFolder()
    mkdirSync(join(cache, 'console-0123456789abcdef'))
    const first = consoleWith({ cache })
    await first.start()
    const [kept, ...others] = readdirSync(cache)
    assert.match(kept!, /^console-[0-9a-f]{16}$/)
    assert.deepEqual([kept === 'console-0123456789abcdef', others], [false, []], 'an older one is gone')
    const second = consoleWith({ cache, builder: builderThat('process.exit(1)') })
    await second.start()
    assert.deepEqual(second.state, first.state)
  })

  it('is held in memory where nothing can be kept', async () => {
    const file = temporaryFile('file', '')
    const console = consoleWith({ cache: join(file, 'cache') })
    await console.start()
    assert.equal(console.state.is, 'ready')
  })

  it('says why there is none, to the log all of it, to visitors nothing of the machine', async () => {
    const cases: [builder: string, why: RegExp][] = [
      ["throw new Error('/home/office/console/main.tsx is odd')", /log tells why/],
      ["import 'no-such-builder'", /esbuild, which builds it, is not installed/],
      ['', /log tells why/],
    ]
    for (const [builder, why] of cases) {
      const console = consoleWith({ cache: temporaryFolder(), builder: builderThat(builder) })
      await console.start()
      assert.ok(console.state.is === 'absent')
      assert.match(console.state.why, why)
      assert.doesNotMatch(console.state.why, /home/)
    }
    assert.match(faults[0]!, /main\.tsx is odd/)
    assert.equal(faults.length, cases.length)
  })

  it('says why there is none where its page would be, and serves the API all the same', async () => {
    const console = consoleWith({ cache: temporaryFolder(), builder: builderThat('process.exit(1)') })
    await console.start()
    const app: App = Fastify()
    consoleRoutes(app, open(), console)
    const { statusCode, headers, payload } = await app.inject({ url: '/', headers: html })
    assert.equal(statusCode, 503)
    assert.equal(headers['content-security-policy'], policy)
    assert.match(payload, /This server has no console: it could not be built.*\n.*href="\/api\/docs"/)
    assert.doesNotMatch(payload, /<script/)
    await app.close()
  })

  it('ends its builder when the server stops, without a word', async () => {
    const told = faults.length
    const console = consoleWith({
      cache: temporaryFolder(),
      builder: builderThat('setInterval(() => {}, 1e6)'),
    })
    const started = console.start()
    console.stop()
    await started
    assert.deepEqual([console.state.is, faults.length], ['starting', told])
  })
})
