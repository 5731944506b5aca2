import { parseArgs } from 'node:util'

/** What the command line asks for. */
export interface Options {
  readonly scale: number
  readonly seconds: number
  readonly rounds: number
  readonly only: readonly string[]
  readonly json: string | undefined
  readonly profile: string | undefined
  readonly sharedCommits: boolean
  /** Whether PostgreSQL is measured beside SQLite. */
  readonly withPostgres: boolean
  readonly explain: boolean
}

const help = (operations: readonly string[]) => `npm run bench -- [options]

  --scale N          students in the database (100000)
  --seconds S        how long each measurement takes (4)
  --rounds N         how often each is repeated; the median is shown (3)
  --engine NAME      postgres: PostgreSQL beside SQLite (sqlite)
  --only NAME        this operation alone; may be given again: ${operations.join(', ')}
  --json FILE        the figures for programs, too
  --profile FOLDER   a CPU profile of the server (.cpuprofile), which slows it a little
  --shared-commits   measures shared commits and undisturbed readers on a slow disk instead
  --explain          PostgreSQL's plan of each statement that the server sends, instead
  --help             this text`

/** Reads the command line; prints the help and ends when asked to, or when something in it is wrong. */
export function readOptions(args: readonly string[], operations: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        scale: { type: 'string', default: '100000' },
        seconds: { type: 'string', default: '4' },
        rounds: { type: 'string', default: '3' },
        engine: { type: 'string', default: 'sqlite' },
        only: { type: 'string', multiple: true, default: [] },
        json: { type: 'string' },
        profile: { type: 'string' },
        'shared-commits': { type: 'boolean', default: false },
        explain: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(help(operations))
      process.exit(0)
    }
    const unknown = values.only.find((name) => !operations.includes(name))
    if (unknown !== undefined) throw new Error(`--only ${unknown}: there is no such operation.`)
    if (!['sqlite', 'postgres'].includes(values.engine))
      throw new Error(`--engine ${values.engine}: sqlite or postgres.`)
    return {
      scale: readNumber('--scale', values.scale, 100),
      seconds: readNumber('--seconds', values.seconds, 1),
      rounds: readNumber('--rounds', values.rounds, 1),
      only: values.only,
      json: values.json,
      profile: values.profile,
      sharedCommits: values['shared-commits'],
      withPostgres: values.engine === 'postgres',
      explain: values.explain,
    }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help(operations)}`)
    process.exit(2)
  }
}

function readNumber(option: string, text: string, least: number): number {
  const number = Number(text)
  if (/^\d{1,8}$/.test(text) && number >= least) return number
  throw new Error(`${option} must be a whole number, at least ${least}.`)
}
