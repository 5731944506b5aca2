import { open, requires } from '../access/guard.ts'
import type { Config } from '../config.ts'
import { checkServes } from '../db/engine.ts'
import type { Db } from '../db/tables.ts'
import { DatabaseStateError, databaseFaultOf } from '../db/violations.ts'
import type { App } from '../http/context.ts'
import { Type } from '../http/json-schema.ts'
import { operation, Success } from '../http/operation.ts'
import type { Outages } from '../http/outages.ts'
import { problemTable } from '../problems.ts'
import { aboutDatabase } from './database.ts'
import { getAbout, Version } from './schema.ts'
import { unsafeSettings } from './unsafe-settings.ts'
import { version } from './version.ts'

const text = (maxLength: number, examples: string[]) => Type.String({ maxLength, examples })

const getHealth = operation({
  operationId: 'getHealth',
  tags: ['health'],
  summary: 'Say whether the platform is healthy',
  response: {
    200: Type.Object(
      {
        success: Success,
        status: Type.String({ const: 'healthy', maxLength: 7 }),
        version: Version,
      },
      { title: 'Health' },
    ),
    503: Type.Object(
      {
        success: Type.Boolean({ const: false }),
        status: Type.String({ const: 'unhealthy', maxLength: 9 }),
        version: Version,
        code: text(50, ['database_unavailable', 'database_damaged', 'database_file_gone', 'shutting_down']),
        detail: text(200, [problemTable.shutting_down[1]]),
      },
      {
        title: 'PoorHealth',
        description:
          'Unhealthy: the database does not answer, takes no writes, or the server is shutting down',
      },
    ),
  },
})

interface HealthParts {
  readonly config: Config
  readonly db: Db
  readonly outages: Outages
  /** True from the moment the server is told to stop. */
  readonly isShuttingDown: () => boolean
}

export function healthRoutes(app: App, { config, db, outages, isShuttingDown }: HealthParts): void {
  const faultNow = async () => (isShuttingDown() ? 'shutting_down' : databaseFault(db, outages))

  app.get('/api/health', { schema: getHealth, config: open() }, async (_request, reply) => {
    const code = await faultNow()
    if (code === undefined) return { success: true, status: 'healthy', version }
    reply.code(503).header('Retry-After', '1')
    return { success: false, status: 'unhealthy', version, code, detail: `${problemTable[code][1]}.` }
  })

  app.get('/api/about', { schema: getAbout, config: requires('roles.manage') }, async (request) => {
    const fault = (await faultNow()) ?? null
    const data = {
      ...{ version, ...(await aboutDatabase(db)) },
      status: fault === null ? ('healthy' as const) : ('unhealthy' as const),
      fault,
      unsafe_settings: unsafeSettings(config, request.headers),
    }
    return { success: true as const, data }
  })
}

async function databaseFault(db: Db, outages: Outages) {
  try {
    await checkServes(db)
    return undefined
  } catch (error) {
    // Its state is in the log already, once.
    if (!(error instanceof DatabaseStateError)) outages.note(error)
    return databaseFaultOf(error) ?? 'database_unavailable'
  }
}
