import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { authenticated, guardRoutes } from '../src/access/guard.ts'
import { type Permission, permissions } from '../src/access/permissions.ts'
import { createTokens } from '../src/access/tokens.ts'
import { write } from '../src/events/write.ts'
import { onceOnly } from './engine.ts'
import { everything, exampleFile, type Route, routesOf } from './routes.ts'
import { type Answer, byTest, openSchool, type Person, type School } from './school.ts'
import { openSession, signToken } from './tokens.ts'

/** What the document gives as an example is a valid request for any version of a record; each `{id}` is `id`. */
async function call(school: School, route: Route, headers = {}, id = 1): Promise<Answer> {
  await turn() // else timers wait for the last of these calls, and the server seems to lag

  const { method, path, example, takesFile } = route
  const isChange = ['PATCH', 'PUT', 'DELETE'].includes(method) || '428' in route.operation.responses
  const sent = { ...(isChange && { 'if-match': '*' }), ...headers }
  const url = path.replaceAll(/\{\w+\}/g, String(id))
  if (takesFile) {
    const file = { ...exampleFile, headers: { ...sent, ...exampleFile.headers } }
    return school.send(method, url, file)
  }
  return school.send(method, url, { body: example, headers: sent })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** An account whose one role holds just these permissions. */
async function personWith(school: School, held: readonly Permission[]): Promise<Person> {
  const person = await school.person()
  const now = school.now().toISOString()
  const name = `just ${held[0]} ${person.id}`
  await write(school.db, byTest, async (db) => {
    const role = await db
      .insertInto('roles')
      .values({ name, built_in: 0, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const permission of held) {
      await db.insertInto('role_permissions').values({ role_id: role.id, permission }).execute()
    }
    await db
      .insertInto('user_roles')
      .values({ user_id: person.id, role_id: role.id, granted_at: now })
      .execute()
  })
  return person
}

/**
 * Routes about what the caller has besides the permission (a password, a session, what a role allows), or the
 * record (students): how they answer to the document's example.
 */
const ofItsOwn: Record<string, string> = {
  'PUT /api/auth/password': 'validation_failed',
  'DELETE /api/auth/sessions/{id}': 'session_not_found',
  'DELETE /api/classes/{id}': 'class_in_use',
  'DELETE /api/fields/{id}': 'field_in_use',
  'PUT /api/doubles/{id}/{other}': 'validation_failed', // both ids are 1
  'DELETE /api/users/{id}': 'user_in_use',
  'PUT /api/users/{id}/roles': 'exceeds_own_permissions',
  'POST /api/change-sets/{id}/undo': 'change_set_not_found',
  'POST /api/roles': 'exceeds_own_permissions',
  'POST /api/imports/{id}/apply': 'import_state', // it is cancelled by then
  'POST /api/imports/{id}/undo': 'import_state',

  'PATCH /api/roles/{id}': 'exceeds_own_permissions',
  'DELETE /api/roles/{id}': 'exceeds_own_permissions',
}

/** What a route needs besides the permission that its first refusal names. */
const neededBesides: Record<string, Permission[]> = {
  '/api/students.csv': ['students.view'],
  '/api/students.xlsx': ['students.view'],
  '/api/imports/{id}': ['students.sensitive', 'students.view'], // its PATCH answers for another, and keeps that
}

/** What will do in the place of the permission that a route's first refusal names. */
const instead = (path: string): Permission[] => (path.startsWith('/api/imports') ? ['classes.manage'] : [])

const ofClubs = { kind: 'several_of', options: ['Oak', 'Elm'] }

const withoutRequestId = ({ body }: Answer) => ({ ...body, request_id: undefined })
const challenge = ({ headers }: Answer) => headers['www-authenticate']

describe('every route that is not open', () => {
  let school: School
  let routes: Route[]
  let guarded: Route[]
  let stranger: Person
  /** The permission that a route asks for, as its own 403 names it; undefined: being logged in is enough. */
  const permissionOf = new Map<Route, Permission | undefined>()
  before(async () => {
    school = await openSchool()
    routes = await routesOf(school)
    guarded = routes.filter(({ isGuarded }) => isGuarded)
    stranger = await school.person()
    // Account 1, which paths name, held a role once.
    await write(school.db, byTest, (db) =>
      db
        .updateTable('users')
        .set({ granted_at: school.now().toISOString() })
        .where('id', '=', stranger.id)
        .execute(),
    )
    // The ones with id 1, which paths name. The field has a value, so it stays.
    const administrator = await school.person('administrator')
    await school.post('/api/fields', { label: 'Clubs', ...ofClubs }, administrator)
    await school.student(await school.person('registrar'), { fields: { clubs: ['Oak'] } })
    await school.post('/api/lists', { name: 'All' }, administrator)
    await school.send('POST', '/api/imports', { as: administrator, ...exampleFile })
    await school.app.importJobs.idle()
    for (const route of guarded) {
      const answer = await call(school, route, bearer((await school.person()).token)) // which may end its session
      const scope = /scope="([^"]+)"/.exec(String(challenge(answer)))?.[1]
      permissionOf.set(route, scope as Permission | undefined)
    }
  })

  async function unchanged(work: () => Promise<void>): Promise<void> {
    const before = await everything(school)
    await work()
    assert.equal(await everything(school), before, 'nothing was written')
  }

  it('is found by this test, the four of the contract among them', () => {
    const found = guarded.map(({ method, path }) => `${method} ${path}`)
    const promised = [
      'POST /api/auth/logout',
      'GET /api/students',
      'GET /api/students/{id}',
      'POST /api/students',
    ]
    for (const route of promised) assert.ok(found.includes(route), route)
  })

  it('asks for the permission that the contract names', () => {
    const contract: Record<string, Permission | undefined> = {
      'POST /api/auth/logout': undefined,
      'GET /api/students': 'students.view',
      'GET /api/students/{id}': 'students.view',
      'POST /api/students': 'students.create',
    }
    for (const route of guarded) {
      const name = `${route.method} ${route.path}`
      if (name in contract) assert.equal(permissionOf.get(route), contract[name], name)
    }
  })

  it('answers 401 without an error when no bearer token came, and writes nothing', onceOnly, async () => {
    const { token } = await school.person('administrator')
    const nothing: Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: 'Basic YTpi' },
      { authorization: token },
      { authorization: `Token ${token}` },
      { authorization: `Bearer ${token} ${token}` },
      { cookie: `token=${token}; access_token=${token}` },
      { 'x-access-token': token },
    ]
    await unchanged(async () => {
      for (const route of guarded) {
        for (const headers of nothing) {
          const answer = await call(school, route, headers)
          assert.equal(answer.status, 401, `${route.method} ${route.path} ${Object.keys(headers)}`)
          assert.equal(challenge(answer), 'Bearer realm="registrar"')
          if (route.method !== 'HEAD') assert.equal(answer.body.code, 'token_missing')
        }
      }
    })
  })

  it('takes no token from the query', onceOnly, async () => {
    const { token } = await school.person('administrator')
    for (const { method, path } of guarded.filter(({ method }) => method === 'GET')) {
      const answer = await school.send(method, `${path.replaceAll(/\{\w+\}/g, '1')}?access_token=${token}`)
      assert.equal(answer.status, 401)
    }
  })

  it('answers 401 invalid_token in one text for a forged, an expired and a logged-out token, and writes nothing', async () => {
    const { header, claims, key } = await openSession(school, await school.person('administrator'))
    const expired = signToken(header, { ...claims, exp: (claims.iat as number) - 1 }, key.secret)
    const forged = signToken(header, claims, 'another secret that is long enough to be one')
    const good = signToken(header, claims, key.secret)
    const loggedOut = await school.person('administrator')
    assert.equal((await school.get('/api/students', good)).status, 200)
    assert.equal((await school.post('/api/auth/logout', undefined, loggedOut)).status, 200)
    const ended = await school.person('administrator')
    await write(school.db, byTest, (db) =>
      db
        .updateTable('users')
        .set({ disabled_at: school.now().toISOString() })
        .where('id', '=', ended.id)
        .execute(),
    )
    const dead = [forged, expired, loggedOut.token, ended.token, 'x', 'a.b.c', `${good}x`]

    const bodies = new Set<string>()
    await unchanged(async () => {
      for (const route of guarded) {
        for (const token of dead) {
          const answer = await call(school, route, bearer(token))
          assert.equal(answer.status, 401, `${route.method} ${route.path}`)
          assert.match(String(challenge(answer)), /^Bearer .*error="invalid_token"/)
          if (route.method !== 'HEAD') bodies.add(JSON.stringify(withoutRequestId(answer)))
        }
      }
    })
    assert.equal(bodies.size, 1, 'one text')
    assert.equal(JSON.parse([...bodies][0]!).code, 'token_invalid')
  })

  it('answers 403 that names the permission and its remedy to an account that holds none, and writes nothing', async () => {
    await unchanged(async () => {
      for (const route of guarded) {
        if (permissionOf.get(route) === undefined) continue
        const answer = await call(school, route, bearer(stranger.token))
        assert.equal(answer.status, 403, `${route.method} ${route.path}`)
        const scope = /^Bearer .*error="insufficient_scope", scope="([^"]+)"$/.exec(
          String(challenge(answer)),
        )?.[1]
        assert.ok(permissions.includes(scope as Permission))
        if (route.method === 'HEAD') continue
        assert.equal(answer.body.code, 'permission_denied')
        assert.ok(answer.body.detail.includes(scope))
        assert.match(answer.body.detail, /administrator grants.*user grant/)
      }
    })
  })

  it('answers 403 to an account that holds every permission but the right one, and writes nothing', async () => {
    const callers: { route: Route; right: Permission; token: string }[] = []
    for (const route of guarded) {
      const right = permissionOf.get(route)
      if (right === undefined) continue
      const withheld = [right, ...instead(route.path)]
      const allBut = await personWith(
        school,
        permissions.filter((permission) => !withheld.includes(permission)),
      )
      callers.push({ route, right, token: allBut.token })
    }
    await unchanged(async () => {
      for (const { route, right, token } of callers) {
        const answer = await call(school, route, bearer(token))
        assert.equal(answer.status, 403, `${route.method} ${route.path}`)
        assert.match(String(challenge(answer)), new RegExp(`scope="${right}"`))
      }
    })
  })

  it('answers 403 before it looks at body, query or id, and the same whether or not the id exists', async () => {
    for (const route of guarded) {
      if (permissionOf.get(route) === undefined || route.method === 'HEAD') continue
      if (route.path === '/api/audit') continue // what it asks decides: `actor=me` needs no permission
      const path = (id: string) => route.path.replaceAll(/\{\w+\}/g, id)
      const answers = await Promise.all([
        call(school, route, bearer(stranger.token)),
        call(school, route, bearer(stranger.token), 999_999_999),
        school.send(route.method, path('abc'), { as: stranger }),
        school.send(route.method, `${path('1')}?page=x&page=y`, { as: stranger }),
        ...(route.operation.requestBody
          ? [
              school.send(route.method, path('1'), {
                as: stranger,
                payload: '{',
                headers: { 'content-type': 'text/x' },
              }),
            ]
          : []),
      ])
      const [first, ...others] = answers.map((answer) => ({
        ...withoutRequestId(answer),
        challenge: challenge(answer),
      }))
      assert.equal(first!.status, 403)
      for (const other of others) assert.deepEqual(other, first)
    }
  })

  it('serves an account that holds just the right permission', async () => {
    const isOfPlan = ({ path }: (typeof guarded)[number]) => path.endsWith('/refused') // none is left once it is cancelled
    for (const route of guarded.toSorted((a, b) => Number(isOfPlan(b)) - Number(isOfPlan(a)))) {
      const right = permissionOf.get(route)
      const besides = neededBesides[route.path] ?? []
      const person = await personWith(school, right === undefined ? [] : [right, ...besides])
      const { etag } = route.path.endsWith('/apply')
        ? (await school.get('/api/imports/1', person)).headers
        : {}
      const version = etag === undefined ? {} : { 'if-match': String(etag) }
      const answer = await call(school, route, { ...bearer(person.token), ...version })
      await school.app.importJobs.idle()
      const name = `${route.method} ${route.path}`
      const refusal = ofItsOwn[name]
      const isServed = refusal ? answer.body.code === refusal : answer.status >= 200 && answer.status < 300
      assert.ok(isServed, `${name}: ${answer.text}`)
    }
  })

  it('asks the same of every spelling of its path', onceOnly, async () => {
    for (const { method, path } of guarded) {
      const plain = path.replaceAll(/\{\w+\}/g, '1')
      const spellings = [
        `${plain}/`,
        plain.replaceAll('/', '//'),
        plain.replace('/api', '/%61pi'),
        plain.replace('/api/', '/api/./'),
        plain.replace('/api/', '/x/../api/'),
        plain.toUpperCase(),
        `${plain};x=1`,
        `${plain}%2f`,
        `${plain}%00`,
        plain.replace('/api/', '/api%2f'),
        plain.replace('/api/', '\\api\\'),
        `http://localhost${plain}`,
      ]
      for (const spelling of spellings) {
        const { status } = await school.send(method, spelling)
        assert.ok([400, 401, 404].includes(status), `${method} ${spelling}: ${status}`)
      }
    }
  })
})

describe('every open route', () => {
  it('ignores an Authorization header, whatever it says', async () => {
    const school = await openSchool()
    const routes = (await routesOf(school)).filter(({ isGuarded }) => !isGuarded)
    const found = routes.map(({ method, path }) => `${method} ${path}`)
    for (const route of ['POST /api/auth/login', 'POST /api/auth/register', 'GET /api/health']) {
      assert.ok(found.includes(route), route)
    }
    for (const route of routes.filter(({ method }) => method === 'POST')) await call(school, route)
    const loggedOut = await school.person()
    await school.post('/api/auth/logout', undefined, loggedOut)
    for (const route of routes) {
      const plain = await call(school, route)
      for (const authorization of [
        '',
        'x',
        'Bearer',
        'Bearer x',
        `Bearer ${loggedOut.token}`,
        'Basic YTpi',
      ]) {
        const answer = await call(school, route, { authorization })
        assert.deepEqual([answer.status, answer.body?.code], [plain.status, plain.body?.code], route.path)
        assert.notEqual(answer.body?.code, 'token_invalid')
      }
    }
  })

  it('is all that is not documented: no guarded route hides from this test', onceOnly, async () => {
    const school = await openSchool()
    const documented = new Set(
      (await routesOf(school)).map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1')),
    )
    const tree = school.app.printRoutes({ commonPrefix: false })
    const paths: string[] = []
    const open: string[] = []
    for (const line of tree.split('\n').filter(Boolean)) {
      const [, indent, part] = /^([│├└─ ]*)(\S+)/.exec(line)!
      const depth = indent!.length / 4
      open.length = depth - 1
      open.push(part!)
      paths.push(open.join('').replaceAll('//', '/'))
    }
    assert.ok(paths.includes('/api/students/:id') && paths.includes('/api/docs/start.js'), tree)
    for (const path of documented) assert.ok(paths.includes(path), path)
    for (const path of paths.filter((path) => !documented.has(path))) {
      const { status, body } = await school.send('GET', path)
      assert.ok(
        status < 400 || body?.code === 'route_not_found', // as a file of the console that is not there
        `${path} answers ${status} to anyone: document it, so that the caller table covers it`,
      )
    }
  })
})

describe('a route that declares no guard', onceOnly, () => {
  async function appWith(addRoutes: (app: FastifyInstance) => void) {
    const school = await openSchool()
    const { db, config } = school
    const app = Fastify()
    const tokens = createTokens({ db, ttlSeconds: config.tokenTtlSeconds, secret: config.tokenSecret })
    guardRoutes(app, { db, tokens, clock: () => school.now() })
    addRoutes(app)
    return app
  }

  it('keeps the app from starting, and is named', async () => {
    const app = await appWith((app) => {
      app.get('/guarded', { config: authenticated() }, async () => 'x')
      app.get('/bare', async () => 'x')
      app.register(
        async (inner: FastifyInstance) => void inner.post('/inner', { config: {} }, async () => 'x'),
      )
    })
    await assert.rejects(
      async () => await app.ready(),
      (error: Error) => {
        assert.match(error.message, /declare no guard.*GET \/bare.*POST \/inner/)
        assert.doesNotMatch(error.message, /guarded/)
        return true
      },
    )
  })

  it('is what matters: with a guard on each, the app starts', async () => {
    const app = await appWith((app) => void app.get('/guarded', { config: authenticated() }, async () => 'x'))
    await app.ready()
    assert.equal((await app.inject('/guarded')).statusCode, 401)
    await app.close()
  })
})
