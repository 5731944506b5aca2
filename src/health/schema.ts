import { Type } from '../http/json-schema.ts'
import { DateTime, Envelope, maxId, operation } from '../http/operation.ts'
import { version } from './version.ts'

export const Version = Type.String({
  pattern: '^\\d+\\.\\d+\\.\\d+$',
  maxLength: 20,
  description: 'Of this program',
  examples: [version],
})

/** Settings that are unsafe together, and what to do. */
const UnsafeSetting = Type.Object(
  {
    code: Type.String({
      maxLength: 50,
      description: 'Which danger it is; it does not change between versions',
      examples: ['weak_passwords'],
    }),
    settings: Type.Array(Type.String({ maxLength: 50, examples: ['PASSWORD_POLICY'] }), {
      maxItems: 10,
      description: 'The settings that make it',
    }),
    detail: Type.String({
      maxLength: 500,
      description: 'What is unsafe, and what to do, for people',
      examples: ['PASSWORD_POLICY=basic accepts passwords that can be guessed. Set PASSWORD_POLICY=strict.'],
    }),
  },
  { title: 'UnsafeSetting' },
)

const About = Type.Object(
  {
    version: Version,
    engine: Type.Enum(['sqlite', 'postgres'], {
      description: 'What keeps the records',
      examples: ['sqlite'],
    }),
    engine_version: Type.String({ maxLength: 100, description: 'Its version', examples: ['3.51.3'] }),
    database_bytes: Type.Integer({
      minimum: 0,
      maximum: maxId,
      description: 'How large the database is, its indexes included',
      examples: [4096],
    }),
    status: Type.Enum(['healthy', 'unhealthy'], {
      description: 'As GET /api/health tells it',
      examples: ['healthy'],
    }),
    fault: Type.Nullable(
      Type.String({
        maxLength: 50,
        description: 'The code of what is wrong; null: nothing',
        examples: ['database_damaged'],
      }),
    ),
    last_backup: Type.Nullable(
      DateTime(
        'When the command `backup` last made one. null: Registrar knows of none; others may have made some, and on PostgreSQL it never knows',
      ),
    ),
    unsafe_settings: Type.Array(UnsafeSetting, {
      maxItems: 20,
      description:
        'Settings that are unsafe for a server that others can reach; none where nothing was found',
    }),
  },
  { title: 'About' },
)

export const getAbout = operation({
  operationId: 'getAbout',
  tags: ['health'],
  summary: 'Tell administrators about this server',
  response: { 200: Envelope(About) },
})
