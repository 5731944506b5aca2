// Runs once: no database is asked.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Fastify from 'fastify'
import { goInStages } from './batches.ts'

describe('requests that come together', () => {
  it('go from stage to stage together', async () => {
    const app = Fastify()
    const passed: string[] = []
    const held: (() => void)[] = []
    app.addHook('onRequest', (_request, _reply, done) => {
      if (held.push(done) === 3) for (const goOn of held) goOn()
    })
    const pass = (stage: string, done: () => void) => {
      passed.push(stage)
      done()
    }
    app.addHook('onRequest', (_request, _reply, done) => pass('routed', done))
    app.addHook('onSend', (_request, _reply, _payload, done) => pass('answered', done))
    goInStages(app)
    app.addHook('preValidation', (_request, _reply, done) => pass('admitted', done))
    app.addHook('onSend', (_request, _reply, _payload, done) => pass('sent', done))
    const logged = new Promise<void>((resolve) => {
      app.addHook('onResponse', (_request, _reply, done) => {
        pass('logged', done)
        if (passed.length === 18) resolve()
      })
    })
    app.get('/', async () => {
      passed.push('handled')
      return 'x'
    })
    await app.ready()
    await Promise.all([1, 2, 3].map(() => app.inject('/')))
    await logged
    const stages = ['routed', 'admitted', 'handled', 'answered', 'sent', 'logged']
    assert.deepEqual(
      passed,
      stages.flatMap((name) => [name, name, name]),
    )
    await app.close()
  })

  it('fail alone', async () => {
    const app = Fastify()
    goInStages(app)
    app.addHook('preValidation', ({ url }) => {
      if (url === '/admitted') throw new Error('after the first stage')
      return Promise.resolve()
    })
    app.get('/admitted', async () => 'x')
    app.get('/validated', () => {
      throw new Error('after the second')
    })
    app.get('/answered', async (_request, reply) => {
      reply.header('x-answer', 'after\nthe third')
      return 'x'
    })
    app.get('/good', async () => 'x')
    await app.ready()
    const paths = ['/admitted', '/good', '/validated', '/good', '/answered', '/good']
    const answers = await Promise.all(paths.map((path) => app.inject(path)))
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [500, 200, 500, 200, 500, 200],
    )
    await app.close()
  })
})
