// Runs once: the engine has no part in it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Fastify from 'fastify'
import { openSchool } from '../../test/school.ts'
import { compileWhenUsed } from './compile-when-used.ts'

describe('schemas', () => {
  it('are compiled once: when they are used, or ahead, each in a turn of its own', async () => {
    const { app } = await openSchool()
    const unused = await openSchool()
    assert.equal((await app.inject('/api/health')).statusCode, 200)
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const compiled = await app.compileAhead()
    isDone = true
    assert.ok(compiled > 100, `${compiled} schemas`)
    assert.ok(turns >= compiled - 1, `${turns} turns`)
    assert.equal(await app.compileAhead(), 0)
    const before = performance.eventLoopUtilization()
    assert.ok((await unused.app.compileAhead()) > compiled, 'one was used')
    const { idle } = performance.eventLoopUtilization(before)
    assert.ok(idle < 1_000, `it waited ${idle} ms for something to happen`)
  })

  it('that are faulty are refused ahead, though the routes are ready', async () => {
    const app = Fastify()
    const compileAhead = compileWhenUsed(app)
    app.get('/', { schema: { response: { 200: { type: 'nonsense' } } } }, () => 'fine')
    await app.ready()
    await assert.rejects(compileAhead(), /schema is invalid/)
    await app.close()
  })
})
