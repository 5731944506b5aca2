import { parseArgs } from 'node:util'

/** What the command line asks for. */
export interface Options {
  readonly scale: number
  readonly seconds: number
  readonly rounds: number
  readonly only: readonly string[]
  readonly engines: readonly Engine[]
  readonly peers: readonly string[]
  readonly json: string | undefined
  readonly profile: string | undefined
  /** What is done instead of measuring the operations. */
  readonly instead: Instead | undefined
  /** What stands behind the options: figures that --report takes. */
  readonly files: readonly string[]
}

export type Engine = 'sqlite' | 'postgres'

const engineNames = { sqlite: ['sqlite'], postgres: ['postgres'], both: ['sqlite', 'postgres'] } as const

const insteads = [
  'series',
  'report',
  'explain',
  'shared-commits',
  'flood',
  'exports',
  'imports',
  'console',
] as const
type Instead = (typeof insteads)[number]

const help = (operations: readonly string[]) => `npm run bench -- [options]

  --scale N          students in the database (100000)
  --seconds S        how long each measurement takes (2)
  --rounds N         how often each is repeated; the median is shown (5)
  --engine NAME      sqlite, postgres or both (both)
  --only NAME        this operation alone; may be given again: ${operations.join(', ')}
  --peer NAME        another server beside these, of bench/peers; may be given again
  --json FILE        the figures for programs, too
  --profile FOLDER   a CPU profile of the server (.cpuprofile), which slows it a little
  --help             this text

Instead of that:
  --series           runs it at a thousand students, ten times as many and so on up to --scale (1000000), each
                     into bench/results, then --report
  --report [FILE…]   writes docs/performance.md's tables and plots from such JSON files; without one, anew from
                     docs/performance.json
  --explain          PostgreSQL's plan of each statement that the server sends
  --shared-commits   shared commits and undisturbed readers on a slow disk
  --flood            what a flood of logins does to everyone else
  --exports          how fast all students are exported, and what memory that takes
  --imports          how fast files of --scale rows are planned, applied and undone, and what that does to others
  --console          what a reader waits for in the console, on SQLite`

/** Reads the command line; prints the help and ends when asked to, or when something in it is wrong. */
export function readOptions(args: readonly string[], operations: readonly string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        scale: { type: 'string' },
        seconds: { type: 'string', default: '2' },
        rounds: { type: 'string', default: '5' },
        engine: { type: 'string', default: 'both' },
        only: { type: 'string', multiple: true, default: [] },
        peer: { type: 'string', multiple: true, default: [] },
        json: { type: 'string' },
        profile: { type: 'string' },
        series: { type: 'boolean', default: false },
        report: { type: 'boolean', default: false },
        explain: { type: 'boolean', default: false },
        'shared-commits': { type: 'boolean', default: false },
        flood: { type: 'boolean', default: false },
        exports: { type: 'boolean', default: false },
        imports: { type: 'boolean', default: false },
        console: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(help(operations))
      process.exit(0)
    }
    const unknown = values.only.find((name) => !operations.includes(name))
    if (unknown !== undefined) throw new Error(`--only ${unknown}: there is no such operation.`)
    const wrongPeer = values.peer.find((name) => !/^[a-z0-9-]+$/.test(name))
    if (wrongPeer !== undefined) throw new Error(`--peer ${wrongPeer}: the name of a folder in bench/peers.`)
    if (positionals.length > 0 && !values.report)
      throw new Error(`${positionals[0]}: only --report takes files.`)
    return {
      scale: readNumber('--scale', values.scale ?? (values.series ? '1000000' : '100000'), 100),
      seconds: readNumber('--seconds', values.seconds, 1),
      rounds: readNumber('--rounds', values.rounds, 1),
      only: values.only,
      engines: readEngines(values.engine),
      peers: values.peer,
      json: values.json,
      profile: values.profile,
      instead: insteads.find((name) => values[name]),
      files: positionals,
    }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help(operations)}`)
    process.exit(2)
  }
}

function readEngines(name: string): readonly Engine[] {
  const engines = Object.entries(engineNames).find(([known]) => known === name)?.[1]
  if (engines === undefined) throw new Error(`--engine ${name}: sqlite, postgres or both.`)
  return engines
}

function readNumber(option: string, text: string, least: number): number {
  const number = Number(text)
  if (/^\d{1,8}$/.test(text) && number >= least) return number
  throw new Error(`${option} must be a whole number, at least ${least}.`)
}
