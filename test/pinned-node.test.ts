// Runs once: what it shows does not depend on the engine, or concerns no database.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from './cleanup.ts'
import { launcher, projectFolder } from './server.ts'

const read = (name: string) => JSON.parse(readFileSync(join(projectFolder, name), 'utf8'))
const manifest = read('package.json')
const { packages } = read('package-lock.json')

/** The packages that bring Node, and the platform of each as Node names it. */
const pinned = Object.entries(manifest.optionalDependencies as Record<string, string>).map(
  ([name, version]) => {
    const [, system, arch] = /^node-(\w+)-(\w+)$/.exec(name)!
    return { name, version, platform: system === 'win' ? 'win32' : system!, arch: arch! }
  },
)

/** The folder of a package in `node_modules` of a folder, with this program in the place of its Node. */
function putNode(folder: string, name: string, program: string): void {
  const bin = join(folder, 'node_modules', name, 'bin')
  mkdirSync(bin, { recursive: true })
  const file = join(bin, name.startsWith('node-win-') ? 'node.exe' : 'node')
  writeFileSync(file, program, { mode: 0o755 })
}

const node = (version: string) =>
  `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else shift; echo "handed $*"; exit 7; fi\n`

/** The launcher in this folder, and beside it what npm installs. */
function install(folder: string, packagesFolder = folder): string {
  mkdirSync(join(packagesFolder, 'node_modules', 'fastify'), { recursive: true })
  mkdirSync(folder, { recursive: true })
  copyFileSync(launcher, join(folder, 'registrar.js'))
  const { optionalDependencies } = manifest
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', optionalDependencies }))
  return join(folder, 'registrar.js')
}

/** What `user list` says where the machine has Node 20. */
function onNode20(script: string, platform = 'linux', arch = 'x64') {
  const as = Object.entries({ version: 'v20.0.0', platform, arch })
    .map(([name, value]) => `Object.defineProperty(process, '${name}', { value: '${value}' })`)
    .join('; ')
  const args = ['--input-type=module', '-e', `${as}; await import(process.argv[1])`, script, 'user', 'list']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('the Node that Registrar brings', () => {
  it('is one version, exact, a package for each platform', () => {
    assert.ok(pinned.length > 0)
    assert.equal(new Set(pinned.map(({ version }) => version)).size, 1)
    for (const { version } of pinned) assert.match(version, /^24\.\d+\.\d+$/)
  })

  it('is what package-lock.json holds by its digest, for its platform alone, without an install script', () => {
    const locked = Object.keys(packages).filter((path) => /(^|\/)node_modules\/node(-|$)/.test(path))
    assert.deepEqual(locked, pinned.map(({ name }) => `node_modules/${name}`).sort())
    for (const { name, version, platform, arch } of pinned) {
      const entry = packages[`node_modules/${name}`]
      assert.equal(entry.version, version)
      assert.match(entry.integrity, /^sha512-[\w+/]{86}==$/)
      assert.deepEqual([entry.os, entry.cpu, entry.optional].flat(), [platform, arch, true])
      assert.deepEqual([entry.resolved, entry.hasInstallScript], [undefined, undefined])
    }
  })

  it('runs Registrar where the machine has an older one: arguments and exit status are passed on', () => {
    for (const { name, version, platform, arch } of pinned) {
      const folder = temporaryFolder()
      putNode(folder, name, node(`v${version}`))
      const { status, stdout } = onNode20(install(folder), platform, arch)
      assert.deepEqual([status, stdout], [7, 'handed user list\n'], name)
    }
  })

  it('is found where npm put it, when Registrar is a package itself: beside it, in it, or further out', () => {
    const [{ name, version, platform, arch }] = pinned as [(typeof pinned)[0]]
    const places: [packed: string, besides: string][] = [
      ['node_modules/registrar', ''],
      ['node_modules/registrar', 'node_modules/registrar'],
      ['node_modules/tools/node_modules/registrar', ''],
    ]
    for (const [packed, besides] of places) {
      const folder = temporaryFolder()
      putNode(join(folder, besides), name, node(`v${version}`))
      const { status, stdout } = onNode20(install(join(folder, packed), folder), platform, arch)
      assert.deepEqual([status, stdout], [7, 'handed user list\n'], `${packed}, ${besides}`)
    }
  })

  it('is not looked for above a clone: that folder may be anyone’s', () => {
    const [{ name, version, platform, arch }] = pinned as [(typeof pinned)[0]]
    const folder = temporaryFolder()
    putNode(folder, name, node(`v${version}`))
    const { status, stdout, stderr } = onNode20(install(join(folder, 'clone')), platform, arch)
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, /: install its packages without omitting optional ones, or install Node\.js 24\.\n$/)
  })
})

describe('on an older Node, registrar.js says in one sentence', () => {
  const needs = 'Registrar needs Node.js 24 or newer, and this is v20.0.0: '

  it('that it brings none for the platform', () => {
    const said = {
      status: 1,
      stdout: '',
      stderr: `${needs}it brings none for aix-ppc64, so install Node.js 24.\n`,
    }
    assert.deepEqual(onNode20(install(temporaryFolder()), 'aix', 'ppc64'), said)
  })

  it('that the one it brings does not run there, or is too old', () => {
    const [{ name, platform, arch }] = pinned as [(typeof pinned)[0]]
    for (const program of ['#!/not/there\n', node('v22.1.0')]) {
      const folder = temporaryFolder()
      putNode(folder, name, program)
      const stderr = `${needs}the one that it brings does not run here, so install Node.js 24.\n`
      assert.deepEqual(onNode20(install(folder), platform, arch), { status: 1, stdout: '', stderr })
    }
  })
})
