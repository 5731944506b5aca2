// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from './cleanup.ts'
import { newDatabaseUrl } from './engine.ts'
import { launcher, serverEnvironment, startServer } from './server.ts'

describe('registrar.js', () => {
  it('says in one sentence what is missing before npm ci, and exits with 1', () => {
    const folder = temporaryFolder()
    copyFileSync(launcher, join(folder, 'registrar.js'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'registrar.js'), 'serve'], {
      encoding: 'utf8',
    })
    assert.equal(status, 1)
    assert.match(stderr, /^Registrar is not installed yet: run "npm ci" in its folder\.\n$/)
  })

  it('on an older Node hands over to the one that npm installed, and passes arguments and exit status on', () => {
    const folder = temporaryFolder()
    const bin = join(folder, 'node_modules', 'node', 'bin')
    mkdirSync(bin, { recursive: true })
    mkdirSync(join(folder, 'node_modules', 'fastify'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    copyFileSync(launcher, join(folder, 'registrar.js'))
    const fakeNode =
      '#!/bin/sh\nif [ "$1" = --version ]; then echo v24.0.0; else shift; echo "handed $*"; exit 7; fi\n'
    writeFileSync(join(bin, 'node'), fakeNode, { mode: 0o755 })
    const asNode20 =
      "Object.defineProperty(process, 'version', { value: 'v20.0.0' }); await import(process.argv[1])"
    const args = ['--input-type=module', '-e', asNode20, join(folder, 'registrar.js'), 'user', 'list']
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(stdout, 'handed user list\n')
    assert.equal(status, 7)
  })

  it('on an older Node without that one says which Node it needs', () => {
    const folder = temporaryFolder()
    copyFileSync(launcher, join(folder, 'registrar.js'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const asNode20 =
      "Object.defineProperty(process, 'version', { value: 'v20.0.0' }); await import(process.argv[1])"
    const args = ['--input-type=module', '-e', asNode20, join(folder, 'registrar.js')]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, /^Registrar needs Node\.js 24 or newer, and this is v20\.0\.0: [^\n]+\n$/)
  })

  it('reads .env of the folder where it starts; the environment wins', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.env'), 'LOG_LEVEL=loud\nPORT=80000\n')
    const env = { ...serverEnvironment(await newDatabaseUrl()), PORT: '0' }
    const { status, stderr } = spawnSync(process.execPath, [launcher, 'serve'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    assert.equal(status, 1)
    assert.match(stderr, /LOG_LEVEL must be/)
    assert.doesNotMatch(stderr, /PORT/)
  })

  it('says in one sentence that .env is a folder, and exits with 1', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.env'))
    const { status, stderr } = spawnSync(process.execPath, [launcher, 'user', 'list'], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.equal(status, 1)
    assert.match(stderr, /^The settings in \.env can't be read: [^\n]+\n$/)
  })

  it('starts a server that is healthy within ten times the promised second', async () => {
    const databaseUrl = await newDatabaseUrl()
    await (await startServer(databaseUrl)).end('SIGTERM')
    const began = performance.now()
    const server = await startServer(databaseUrl)
    const answer = await fetch(`${server.url}/api/health`)
    assert.equal(answer.status, 200)
    assert.ok(performance.now() - began < 10_000)
  })
})
