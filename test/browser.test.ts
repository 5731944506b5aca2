// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { runInNewContext } from 'node:vm'
import { openSchool, type Person, type School } from './school.ts'

const own = 'https://app.school.example'
const corsHeaders = (headers: Readonly<Record<string, unknown>>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'))

/** One request of each kind of answer, and its status. */
const kinds: [method: string, url: string, status: number][] = [
  ['GET', '/api/health', 200],
  ['GET', '/api/students', 401],
  ['GET', '/nowhere', 404],
  ['DELETE', '/api/students', 405],
  ['GET', '/api/students/%zz', 400],
  ['POST', '/api/auth/login', 400],
  ['PROPFIND', '/api/students', 501],
]

describe('pages of other origins', () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  }

  it('are told nothing while CORS_ORIGINS is unset', async () => {
    const school = await openSchool()
    for (const origin of [own, 'null', 'http://localhost:5173']) {
      for (const [method, url, status] of kinds) {
        const answer = await school.send(method, url, { headers: { origin } })
        assert.equal(answer.status, status)
        assert.deepEqual(corsHeaders(answer.headers), [])
      }
      const answer = await school.send('OPTIONS', '/api/students', { headers: { origin, ...preflight } })
      assert.equal(answer.status, 204)
      assert.deepEqual(corsHeaders(answer.headers), [])
    }
  })

  const settings: [CORS_ORIGINS: string, allowed: string[], refused: string[]][] = [
    [
      own,
      [own],
      [
        'null',
        'https://evil.example',
        'http://app.school.example',
        `${own}:8443`,
        `${own}.evil.example`,
        'https://x.app.school.example',
        'https://APP.school.example',
        `${own}/`,
        'http://localhost',
        '*',
        '',
      ],
    ],
    [`${own}, http://b.example:81`, [own, 'http://b.example:81'], ['http://b.example', 'null']],
    [
      'local',
      [
        'http://localhost',
        'http://localhost:5173',
        'https://127.0.0.1:8443',
        'http://[::1]:3000',
        'http://127.5.5.5',
      ],
      [
        'null',
        own,
        'http://localhost.evil.example',
        'http://evil.localhost.example',
        'http://127.0.0.1.evil.example',
        'http://localhost:5173.evil.example',
        'http://localhost@evil.example',
        'http://192.168.0.1',
        'file://localhost',
        'http://localhost/',
      ],
    ],
    [`local,${own}`, [own, 'http://localhost:1'], ['https://evil.example']],
  ]
  for (const [CORS_ORIGINS, allowed, refused] of settings) {
    it(`are let in by CORS_ORIGINS=${CORS_ORIGINS} on every kind of answer, errors too, or not at all`, async () => {
      const school = await openSchool({ env: { CORS_ORIGINS } })
      for (const [method, url, status] of kinds) {
        for (const origin of allowed) {
          const answer = await school.send(method, url, { headers: { origin } })
          assert.equal(answer.status, status)
          assert.equal(answer.headers['access-control-allow-origin'], origin, `${origin} ${url}`)
          assert.equal(answer.headers['access-control-allow-credentials'], undefined)
          const exposed = String(answer.headers['access-control-expose-headers']).split(', ')
          for (const name of [
            'Content-Disposition',
            'ETag',
            'Link',
            'Location',
            'Retry-After',
            'WWW-Authenticate',
          ])
            assert.ok(exposed.includes(name))
          assert.equal(answer.headers.vary, 'Origin')
        }
        for (const origin of refused) {
          const answer = await school.send(method, url, { headers: { origin } })
          assert.equal(answer.status, status)
          assert.deepEqual(corsHeaders(answer.headers), [], `${origin} ${url}`)
          assert.equal(answer.headers.vary, 'Origin')
        }
        assert.equal((await school.send(method, url)).headers.vary, 'Origin')
      }
    })
  }

  it('are all let in by CORS_ORIGINS=*, without credentials', async () => {
    const school = await openSchool({ env: { CORS_ORIGINS: '*' } })
    for (const origin of [own, 'null', 'https://evil.example']) {
      const answer = await school.send('GET', '/api/students', { headers: { origin } })
      assert.equal(answer.headers['access-control-allow-origin'], '*')
      assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    }
  })

  it('ask first, and are answered before anything is read: with the methods and headers they may send', async () => {
    const school = await openSchool({ env: { CORS_ORIGINS: own } })
    for (const url of ['/api/students', '/api/students/1', '/api/auth/login', '/api/auth/logout']) {
      const answer = await school.send('OPTIONS', url, { headers: { origin: own, ...preflight } })
      assert.equal(answer.status, 204)
      assert.equal(answer.text, '')
      assert.equal(answer.headers['access-control-allow-origin'], own)
      assert.match(String(answer.headers['access-control-allow-methods']), /\bPOST\b/)
      assert.match(
        String(answer.headers['access-control-allow-headers']),
        /\bAuthorization, Content-Type, Idempotency-Key, If-Match, If-None-Match$/,
      )
      const refused = await school.send('OPTIONS', url, {
        headers: { origin: 'https://evil.example', ...preflight },
      })
      assert.deepEqual([refused.status, corsHeaders(refused.headers)], [204, []])
    }
  })

  it('do not change who may do what: an allowed origin still needs a token', async () => {
    const school = await openSchool({ env: { CORS_ORIGINS: '*' } })
    const stranger: Person = await school.person('none')
    const headers = { origin: own }
    assert.equal((await school.send('GET', '/api/students', { headers })).status, 401)
    assert.equal((await school.send('GET', '/api/students', { headers, as: stranger })).status, 403)
  })
})

/** A plugin of Swagger UI, as far as this test calls it. */
interface Plugin {
  readonly statePlugins: {
    readonly spec: {
      readonly wrapActions: {
        updateJsonSpec(update: (document: object) => object): (document: object) => object
      }
    }
  }
}

describe('the reference page', () => {
  let school: School
  before(async () => {
    school = await openSchool()
  })

  it('is where / leads, by a reference without a host', async () => {
    const answer = await school.get('/')
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.location, '/api/docs')
  })

  it('loads all its parts from this process, each with its type', async () => {
    const page = await school.get('/api/docs')
    assert.equal(page.status, 200)
    assert.match(String(page.headers['content-type']), /^text\/html; charset=utf-8/)
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part]) => part!)
    const own = parts.filter((part) => part !== 'data:,')
    assert.ok(own.length >= 3)
    for (const part of own) {
      assert.match(part, /^\/api\/docs\/[\w-]+(\.[\w-]+)+$/)
      const answer = await school.get(part)
      assert.equal(answer.status, 200, part)
      assert.match(
        String(answer.headers['content-type']),
        part.endsWith('.css') ? /^text\/css/ : /^text\/javascript/,
      )
      assert.ok(answer.text.length > 50)
    }
    assert.doesNotMatch(page.text, /https?:|<script>|\son\w+=/)
    const start = await school.get('/api/docs/start.js')
    assert.match(start.text, /url: '\/api\/openapi\.json'/)
    assert.match(start.text, /validatorUrl: null/)
    assert.match(start.text, /persistAuthorization: true/)
    const document = await school.get('/api/openapi.json')
    assert.match(String(document.headers['content-type']), /^application\/json/)
    assert.match(document.body.openapi, /^3\.1\./)
  })

  it('fills in no parameter: its copy of the document has no defaults', async () => {
    let update: ((document: object) => object) | undefined
    const read = (options: { plugins: Plugin[] }) => {
      const [plugin] = options.plugins
      update = plugin?.statePlugins.spec.wrapActions.updateJsonSpec((document) => document)
    }
    runInNewContext((await school.get('/api/docs/start.js')).text, { SwaggerUIBundle: read })
    const document = (await school.get('/api/openapi.json')).text
    assert.match(document, /"default":/)
    const filled = JSON.stringify(update?.(JSON.parse(document)))
    assert.deepEqual(filled.match(/"(default|example)":/), null)
    assert.equal(filled.length > document.length / 2, true)
  })

  it('says how to get a token', async () => {
    const { info, components } = (await school.get('/api/openapi.json')).body
    assert.match(info.description, /POST \/api\/auth\/login.*Authorize/s)
    assert.match(components.securitySchemes.bearer.description, /POST \/api\/auth\/login/)
  })

  it('lets the browser load and call nothing from elsewhere', async () => {
    const { headers } = await school.get('/api/docs')
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split('; ')
        .map((directive) => {
          const [name, ...sources] = directive.split(' ')
          return [name, sources]
        }),
    )
    assert.deepEqual(policy['default-src'], ["'none'"])
    assert.deepEqual(policy['script-src'], ["'self'"])
    assert.deepEqual(policy['connect-src'], ["'self'"])
    assert.deepEqual(policy['frame-ancestors'], ["'none'"])
    const harmless = ["'none'", "'self'", "'unsafe-inline'", 'data:']
    for (const source of Object.values(policy).flat())
      assert.ok(harmless.includes(source as string), `${source}`)
  })

  it('needs no token, and shows the same to all', async () => {
    const viewer = await school.person('viewer')
    assert.equal((await school.get('/api/docs', viewer)).text, (await school.get('/api/docs')).text)
  })
})
