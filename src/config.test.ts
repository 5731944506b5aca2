import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { settingNames } from './config/names.ts'
import { type Config, ConfigError, readConfig } from './config.ts'

const secret = 'a secret of more than thirty-two bytes'

interface Setting {
  readonly name: string
  readonly key: keyof Config
  readonly fallback: unknown
  /** Values that are taken, and what they mean. */
  readonly good: readonly [value: string, meaning: unknown][]
  /** Values that are refused. */
  readonly wrong: readonly string[]
  /** What the message says: the fault, and the fix. */
  readonly message?: RegExp
  /** Other settings that this one needs. */
  readonly beside?: Readonly<Record<string, string>>
}

const settings: readonly Setting[] = [
  {
    name: 'HOST',
    key: 'host',
    fallback: 'localhost',
    good: [
      ['0.0.0.0', '0.0.0.0'],
      ['::1', '::1'],
      [' school.example ', 'school.example'],
    ],
    wrong: [],
  },
  {
    name: 'PORT',
    key: 'port',
    fallback: 3000,
    good: [
      ['0', 0],
      ['8080', 8080],
      ['65535', 65_535],
    ],
    wrong: ['65536', '-1', '80.0', '0x50', '1e3', 'http', '3000/tcp', '99999999999999999999'],
    message: /must be a port from 0 to 65535\. Set PORT=3000 or leave it unset/,
  },
  {
    name: 'DATABASE_URL',
    key: 'databaseUrl',
    fallback: 'sqlite:./data/registrar.db',
    good: [
      ['sqlite:/var/lib/registrar.db', 'sqlite:/var/lib/registrar.db'],
      ['sqlite:///var/lib/registrar.db', 'sqlite:///var/lib/registrar.db'],
      ['postgres://me@db.example/registrar', 'postgres://me@db.example/registrar'],
      [
        'postgresql://db.example:5433/registrar?sslmode=require',
        'postgresql://db.example:5433/registrar?sslmode=require',
      ],
    ],
    wrong: ['registrar.db', 'sqlite:', 'sqlite::memory:', 'mysql://localhost/x', '/var/lib/registrar.db'],
    message: /must be sqlite:.*postgres:.*Set DATABASE_URL=sqlite:\.\/data\/registrar\.db/,
  },
  {
    name: 'DATABASE_POOL',
    key: 'databasePool',
    fallback: 10,
    good: [
      ['1', 1],
      ['1000', 1000],
    ],
    wrong: ['0', '1001', 'ten'],
    message: /must be a number of connections from 1 to 1000\. Set DATABASE_POOL=10/,
  },
  {
    name: 'DATABASE_PREPARE',
    key: 'databasePrepare',
    fallback: true,
    good: [
      ['on', true],
      ['off', false],
    ],
    wrong: ['yes', '1'],
    message: /must be on or off\. Set DATABASE_PREPARE=on/,
  },
  {
    name: 'MIGRATE',
    key: 'migrate',
    fallback: false,
    good: [
      ['off', false],
      ['on', true],
    ],
    wrong: ['yes', '1'],
    message: /must be off or on\. Set MIGRATE=off/,
  },
  {
    name: 'DRAIN_SECONDS',
    key: 'drainSeconds',
    fallback: 0,
    good: [
      ['0', 0],
      ['3600', 3600],
    ],
    wrong: ['-1', '3601', '5s'],
    message: /must be a number of seconds from 0 to 3600\. Set DRAIN_SECONDS=0/,
  },
  {
    name: 'LOG_LEVEL',
    key: 'logLevel',
    fallback: 'info',
    good: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => [level, level]),
    wrong: ['INFO', 'verbose', '3'],
    message: /must be info or .* or silent\. Set LOG_LEVEL=info/,
  },
  {
    name: 'TOKEN_TTL',
    key: 'tokenTtlSeconds',
    fallback: 43_200,
    good: [
      ['60', 60],
      ['31536000', 31_536_000],
    ],
    wrong: ['0', '59', '31536001', '12h', '-5', '1.5'],
    message: /must be a number of seconds from 60 to 31536000\. Set TOKEN_TTL=43200/,
  },
  {
    name: 'TOKEN_SECRET',
    key: 'tokenSecret',
    fallback: undefined,
    good: [
      [secret, secret],
      ['ä'.repeat(16), 'ä'.repeat(16)],
    ],
    wrong: ['short', 'x'.repeat(31)],
    message: /is too short: it needs 32 bytes.*openssl rand/,
  },
  {
    name: 'REGISTRATION',
    key: 'registration',
    fallback: 'open',
    good: [
      ['open', 'open'],
      ['closed', 'closed'],
    ],
    wrong: ['Closed', 'off', 'true'],
    message: /must be open or closed\. Set REGISTRATION=open/,
  },
  {
    name: 'REGISTRATION_LIMIT',
    key: 'registrationLimit',
    fallback: 300,
    good: [
      ['1', 1],
      ['1000000', 1_000_000],
    ],
    wrong: ['0', '1000001', '300,3000', '-1', 'off'],
    message: /must be a number of registrations an hour from 1 to 1000000\. Set REGISTRATION_LIMIT=300/,
  },
  {
    name: 'CONSOLE_IDLE_MINUTES',
    key: 'consoleIdleMinutes',
    fallback: 20,
    good: [
      ['1', 1],
      ['1440', 1_440],
    ],
    wrong: ['0', '1441', '20m', '-1', 'off'],
    message: /must be a number of minutes from 1 to 1440\. Set CONSOLE_IDLE_MINUTES=20/,
  },
  {
    name: 'IMPORT_MAX_BYTES',
    key: 'importMaxBytes',
    fallback: 33_554_432,
    good: [
      ['1024', 1_024],
      ['1073741824', 1_073_741_824],
    ],
    wrong: ['1023', '1073741825', '32m', '-1'],
    message: /must be a number of bytes from 1024 to 1073741824\. Set IMPORT_MAX_BYTES=33554432/,
  },
  {
    name: 'DEFAULT_ROLE',
    key: 'defaultRole',
    fallback: 'none',
    good: ['none', 'viewer', 'registrar'].map((role) => [role, role]),
    wrong: ['administrator', 'VIEWER', 'students.view'],
    message: /must be none or viewer or registrar\. Set DEFAULT_ROLE=none/,
  },
  {
    name: 'FIRST_ADMIN',
    key: 'firstAdmin',
    fallback: 'on',
    good: [
      ['on', 'on'],
      ['off', 'off'],
    ],
    wrong: ['false', '0', 'OFF'],
    message: /must be on or off\. Set FIRST_ADMIN=on/,
  },
  {
    name: 'ADMIN_EMAIL',
    key: 'adminEmail',
    fallback: undefined,
    good: [['head@school.example', 'head@school.example']],
    wrong: [], // its shape is looked at where the account is made
    beside: { ADMIN_PASSWORD_FILE: '/run/secrets/admin' },
  },
  {
    name: 'ADMIN_PASSWORD_FILE',
    key: 'adminPasswordFile',
    fallback: undefined,
    good: [['/run/secrets/admin', '/run/secrets/admin']],
    wrong: [],
    beside: { ADMIN_EMAIL: 'head@school.example' },
  },
  {
    name: 'PASSWORD_POLICY',
    key: 'passwordPolicy',
    fallback: 'basic',
    good: [
      ['basic', 'basic'],
      ['strict', 'strict'],
    ],
    wrong: ['none', 'Strict'],
    message: /must be basic or strict\. Set PASSWORD_POLICY=basic/,
  },
  {
    name: 'TRUST_PROXY',
    key: 'trustProxy',
    fallback: false,
    good: [
      ['off', false],
      ['1', 1],
      ['99', 99],
      ['10.0.0.1', ['10.0.0.1']],
      ['10.0.0.1, 10.1.0.0/16,::1,fd00::/8', ['10.0.0.1', '10.1.0.0/16', '::1', 'fd00::/8']],
    ],
    wrong: [
      'on',
      'true',
      '0',
      '100',
      '10.0.0',
      '10.0.0.1/33',
      '10.0.0.1/0',
      '::1/129',
      '10.0.0.1/8/8',
      'proxy.example',
      '10.0.0.1,',
      '10.0.0.1/x',
    ],
    message: /must be off, a number of hops.*Leave it unset/,
  },
  {
    name: 'CORS_ORIGINS',
    key: 'corsOrigins',
    fallback: [],
    good: [
      ['none', []],
      ['*', ['*']],
      ['local', ['local']],
      [
        'https://app.school.example, http://localhost:5173',
        ['https://app.school.example', 'http://localhost:5173'],
      ],
    ],
    wrong: [
      'app.school.example',
      'https://app.school.example/',
      'https://app.school.example/x',
      'https://*.example',
      'null',
      'https://APP.example',
      'file:///x',
    ],
    message: /must hold origins such as.*no path and no closing slash/,
  },
]

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    for (const fault of error.faults) assert.ok(error.message.includes(fault))
    return error.faults
  }
  return []
}

describe('the configuration', () => {
  for (const { name, key, fallback, good, wrong, message, beside = {} } of settings) {
    describe(name, () => {
      it('has a default, which an empty value stands for too', () => {
        for (const env of [{}, { [name]: '' }, { [name]: '  ' }])
          assert.deepEqual(readConfig(env)[key], fallback)
      })

      for (const [value, meaning] of good) {
        it(`takes ${value}`, () => {
          assert.deepEqual(readConfig({ ...beside, [name]: value })[key], meaning)
          assert.deepEqual(readConfig({ ...beside, [name]: ` ${value}\n` })[key], meaning)
        })
      }

      for (const value of wrong) {
        it(`refuses ${value}, and says what is wrong and what to do`, () => {
          const faults = faultsOf({ ...beside, [name]: value })
          assert.equal(faults.length, 1)
          assert.ok(faults[0]!.startsWith(name), faults[0])
          assert.match(faults[0]!, message!)
        })
      }
    })
  }

  it('names every fault at once', () => {
    const refusable = settings.filter(({ wrong }) => wrong.length > 0)
    const env = Object.fromEntries(refusable.map(({ name, wrong }) => [name, wrong[0]!]))
    const faults = faultsOf(env)
    assert.deepEqual(
      faults.map((fault) => fault.split(' ')[0]).sort(),
      refusable.map(({ name }) => name).sort(),
    )
    assert.throws(() => readConfig({ PORT: 'x', TOKEN_TTL: 'y' }), /2 faults/)
    assert.throws(() => readConfig({ PORT: 'x' }), /a fault:/)
  })

  it('tells how a password is written that ends the URL of PostgreSQL early, and nothing of it', () => {
    for (const password of ['hunt/er', '12/3', 'hunt?er', '12?3', 'hunt#er', '12#3', '12/3?4', 'a b/c']) {
      const [fault] = faultsOf({ DATABASE_URL: `postgres://me:${password}@db.example/registrar` })
      assert.match(fault!, /^DATABASE_URL can't be read as postgres:.* Percent-encode every .* \/ is %2F/)
      assert.ok(!fault!.includes('hunt') && !fault!.includes('12'))
    }
    const encoded = encodeURIComponent("h/?#@%' er")
    for (const rest of [`me:${encoded}@db.example/registrar`, 'db.example/r?sslrootcert=/a@b.pem', 'h:5432'])
      assert.deepEqual(faultsOf({ DATABASE_URL: `postgres://${rest}` }), [])
  })

  it('says no secret in its faults', () => {
    assert.ok(!faultsOf({ TOKEN_SECRET: 'hunter2' }).join().includes('hunter2'))
  })

  it('wants ADMIN_EMAIL and ADMIN_PASSWORD_FILE together', () => {
    for (const env of [{ ADMIN_EMAIL: 'head@school.example' }, { ADMIN_PASSWORD_FILE: '/x' }]) {
      assert.match(
        faultsOf(env as Record<string, string>)[0]!,
        /ADMIN_EMAIL and ADMIN_PASSWORD_FILE go together.*Set both, or neither/,
      )
    }
  })

  it('is all there is: what is not in the table above is not read, and nothing can be changed', () => {
    const read = new Set<string>()
    const config = readConfig(
      new Proxy({} as Record<string, string>, {
        get: (_, name) => {
          read.add(String(name))
          return undefined
        },
      }),
    )
    assert.deepEqual([...read].sort(), settings.map(({ name }) => name).sort())
    assert.deepEqual([...read].sort(), [...settingNames].sort())
    assert.deepEqual(Object.keys(config).sort(), settings.map(({ key }) => key).sort())
    assert.ok(Object.isFrozen(config))
  })
})
