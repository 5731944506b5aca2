import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Tx } from '../src/events/log.ts'
import { write } from '../src/events/write.ts'
import { onlyOn } from './engine.ts'
import { endings, type Holding, personHolding } from './grants.ts'
import { everything, exampleFile, type Route, routesOf } from './routes.ts'
import { type Answer, byTest, openSchool, type Person, type School } from './school.ts'
import { frame, openWire, type Wire } from './wire.ts'

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: readonly string[]
}

describe('a request whose body or write comes late', () => {
  let school: School
  let wire: Wire
  let routes: Route[]
  /** Of the plan that is applied. */
  let planTag = ''
  let reads: Route[]
  before(async () => {
    school = await openSchool()
    wire = await openWire(school)
    const administrator = await school.person('administrator')
    await school.post('/api/fields', { label: 'Bus', kind: 'text' }, administrator)
    await school.student(administrator) // the student, the account, the list and the import with id 1
    await school.post('/api/lists', { name: 'All' }, administrator)
    await school.send('POST', '/api/imports', { as: administrator, ...exampleFile })
    await school.app.importJobs.idle()
    planTag = String((await school.get('/api/imports/1', administrator)).headers.etag)
    const guarded = (await routesOf(school)).filter(({ isGuarded }) => isGuarded)
    // Files have tests of their own: src/imports/upload.test.ts.
    routes = guarded.filter(({ method, takesFile }) => method !== 'GET' && method !== 'HEAD' && !takesFile)
    reads = guarded.filter(({ method }) => method === 'GET')
    assert.ok(routes.length > 15 && reads.length > 8)
  })

  /** Sends all but the end of the body, does this once the caller has passed the guard, then sends the end. */
  async function hold(person: Person, call: Call, meanwhile: () => Promise<unknown>): Promise<Answer> {
    const { method, path, body, headers = [] } = call
    const text = body === undefined ? '{}' : JSON.stringify(body)
    const bytes = text.replaceAll(
      /[\x80-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    const lines = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      `Authorization: Bearer ${person.token}`,
      `Content-Length: ${bytes.length}`,
      'If-Match: *',
      ...(body === undefined ? [] : ['Content-Type: application/json']),
      ...headers,
    ]
    const { sessionUses } = school.app
    const noted = sessionUses.size
    const { answers } = await wire.exchange(
      frame(lines, bytes.slice(0, -1)),
      async () => {
        while (sessionUses.size === noted) await wire.assertAlive() // who is admitted is noted
        await meanwhile()
      },
      bytes.slice(-1),
    )
    assert.equal(answers.length, 1)
    return answers[0]!
  }

  /** Sends while another write is under way, in which this is done once the caller has passed the guard. */
  async function queue(person: Person, route: Route, end: (db: Tx) => Promise<unknown>): Promise<Answer> {
    const { sessionUses } = school.app
    const noted = sessionUses.size
    const { sent } = await write(school.db, byTest, async (db) => {
      const sent = school.send(route.method, route.path.replaceAll(/\{\w+\}/g, '1'), {
        as: person,
        body: route.example,
        headers: { 'if-match': route.path.endsWith('/apply') ? planTag : '*' },
      })
      while (sessionUses.size === noted) await db.selectFrom('platform').select('id').execute()
      await end(db)
      return { sent }
    })
    return sent
  }

  const atOnce = (work: (db: Tx) => Promise<unknown>) => write(school.db, byTest, work)

  for (const [what, { end, refusal }] of Object.entries(endings)) {
    it(`is refused on every route, and writes nothing, when its caller ${what} meanwhile`, async () => {
      for (const route of routes) {
        const isForAnyone = /^\/api\/(auth|change-sets)\//.test(route.path)
        if (isForAnyone && refusal[0] === 403) continue
        const person = await school.person('administrator')
        const path = route.path.replaceAll(/\{\w+\}/g, '1')
        let before = ''
        const answer = await hold(person, { method: route.method, path, body: route.example }, async () => {
          await atOnce((db) => end(db, person))
          before = await everything(school)
        })
        const name = `${route.method} ${route.path}`
        assert.deepEqual([answer.status, answer.body?.code], refusal, `${name}: ${answer.text}`)
        assert.equal(await everything(school), before, `${name} wrote`)
      }
    })

    // On PostgreSQL a write waits for one of the same record alone: see the tests of races.
    it(
      `is refused on every route when its caller ${what} while its write waits`,
      onlyOn('sqlite'),
      async () => {
        for (const route of routes) {
          if (/^\/api\/(auth|change-sets)\//.test(route.path) && refusal[0] === 403) continue
          if (route.path === '/api/imports/{id}/undo') continue // it looks at the import before its write
          const person = await school.person('administrator')
          const { status, body } = await queue(person, route, (db) => end(db, person))
          assert.deepEqual([status, body.code], refusal, `${route.method} ${route.path}`)
        }
      },
    )

    it(`creates nothing with an Idempotency-Key either, when its caller ${what} meanwhile`, async () => {
      const creations = routes.filter(({ operation }) => /^create/.test(operation.operationId))
      assert.equal(creations.length, 6)
      for (const route of creations) {
        const person = await school.person('administrator')
        const headers = [`Idempotency-Key: ${what.replaceAll(' ', '-')}`]
        let before = ''
        const answer = await hold(
          person,
          { method: 'POST', path: route.path, body: route.example, headers },
          async () => {
            await atOnce((db) => end(db, person))
            before = await everything(school)
          },
        )
        assert.deepEqual([answer.status, answer.body?.code], refusal, `${route.path}: ${answer.text}`)
        assert.equal(await everything(school), before, `${route.path} wrote`)
      }
    })
  }

  const looked: Call[] = [
    { method: 'POST', path: '/api/students', body: {} },
    { method: 'PUT', path: '/api/users/999/password', body: { password: 'quite another password' } },
    { method: 'PUT', path: '/api/auth/password', body: { current_password: 'x', new_password: 'short' } },
  ]
  for (const call of looked) {
    it(`tells a token that has ended nothing of it: ${call.method} ${call.path}`, async () => {
      const person = await school.person('administrator')
      const { status, body } = await hold(person, call, async () => {
        assert.equal((await school.post('/api/auth/logout', undefined, person)).status, 200)
      })
      assert.deepEqual([status, body.code], [401, 'token_invalid'])
    })
  }

  it('does not end the sessions that its owner has opened since, when its token was logged out meanwhile', async () => {
    const person = await school.person()
    let fresh = ''
    const answer = await hold(person, { method: 'DELETE', path: '/api/auth/sessions' }, async () => {
      assert.equal((await school.post('/api/auth/logout', undefined, person)).status, 200)
      fresh = (await school.login(person.email)).body.data.token
    })
    assert.deepEqual([answer.status, answer.body.code], [401, 'token_invalid'])
    assert.equal((await school.get('/api/auth/me', fresh)).status, 200)
  })

  const held: Holding[0] = [
    'students.view',
    'students.create',
    'students.update',
    'classes.view',
    'classes.manage',
  ]
  const student = { name: 'Late', admission_number: 'late', class_id: 1 }
  const narrowed: [call: Call, status: number, code: string][] = [
    [{ method: 'POST', path: '/api/students', body: student }, 422, 'validation_failed'],
    [{ method: 'PATCH', path: '/api/students/1', body: { name: 'Late' } }, 404, 'student_not_found'],
    [{ method: 'POST', path: '/api/classes', body: { label: 'Late' } }, 403, 'permission_denied'],
    [{ method: 'PATCH', path: '/api/classes/1', body: { position: 7 } }, 404, 'class_not_found'],
    [{ method: 'DELETE', path: '/api/classes/12' }, 403, 'permission_denied'],
  ]
  for (const [call, status, code] of narrowed) {
    it(`is for the classes that its caller holds by then: ${call.method} ${call.path}`, async () => {
      const person = await personHolding(school, [held, 'all'])
      let before = ''
      const answer = await hold(person, call, async () => {
        await atOnce(async (db) => {
          const grants = await db
            .updateTable('user_roles')
            .set({ all_classes: 0 })
            .where('user_id', '=', person.id)
            .returning('role_id')
            .execute()
          const rows = grants.map(({ role_id }) => ({ user_id: person.id, role_id, class_id: 2 }))
          await db.insertInto('user_role_classes').values(rows).execute()
        })
        before = await everything(school)
      })
      assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text)
      assert.equal(await everything(school), before)
    })
  }

  it('is served, when nothing has changed', async () => {
    const person = await school.person('registrar')
    const created = await hold(
      person,
      { method: 'POST', path: '/api/students', body: student },
      async () => {},
    )
    assert.equal(created.status, 201, created.text)
  })

  it('is answered before that, when it only reads', async () => {
    const { token } = await school.person('administrator')
    const answers = reads.map(({ path }) =>
      wire.exchange(
        frame([
          `GET ${path.replaceAll(/\{\w+\}/g, '1')} HTTP/1.1`,
          'Host: localhost',
          `Authorization: Bearer ${token}`,
          'Content-Length: 2',
        ]),
      ),
    )
    for (const { answers: seen } of await Promise.all(answers))
      assert.deepEqual(
        seen.map(({ status }) => status),
        [200],
      )
  })
})
