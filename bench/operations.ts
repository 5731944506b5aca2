import { generatePeople } from './people.ts'
import { pickEvenly, seededRandom } from './random.ts'
import type { Seeded } from './seed.ts'
import { figure } from './table.ts'

/** One thing that clients do, as the benchmark does it over and over. */
export interface Operation {
  readonly name: string
  readonly title: string
  readonly connections: number
  /** Makes a function that gives the next request, whole: see `Load.next`. */
  readonly requests: (seeded: Seeded) => () => string
  /** What the title leaves out, once the database is known. */
  readonly remark?: (seeded: Seeded) => string
}

const manyConnections = 64

/** In the order in which they run: those that write come last, so that the readers see the seeded size. */
export const operations: readonly Operation[] = [
  {
    name: 'get',
    title: 'get one',
    connections: manyConnections,
    requests: getOne,
    remark: ({ students, viewerTokens, registrarTokens }) =>
      `random ids of ${figure(students)}, ${figure(viewerTokens.length + registrarTokens.length)} tokens`,
  },
  {
    name: 'list',
    title: 'list page 1',
    connections: manyConnections,
    requests: (seeded) => reading(seeded, () => '/api/students'),
    remark: () => '20 records and the total',
  },
  {
    name: 'rare',
    title: 'search a rare word',
    connections: manyConnections,
    requests: (seeded) => {
      const random = seededRandom(2)
      return reading(seeded, () => searchPath(pickEvenly(random, seeded.words.rare).word))
    },
    remark: ({ words: { rare } }) => {
      const hits = rare.map(({ hits }) => hits)
      return `${rare.length} words at random, hits ${Math.min(...hits)} to ${Math.max(...hits)}`
    },
  },
  {
    name: 'common',
    title: 'search a common word',
    connections: manyConnections,
    requests: (seeded) => reading(seeded, () => searchPath(seeded.words.common.word)),
    remark: ({ words: { common } }) => `"${common.word}", ${figure(common.hits)} hits`,
  },
  { name: 'create', title: 'create', connections: manyConnections, requests: create },
  {
    name: 'login',
    title: 'login',
    connections: 8,
    requests: login,
    remark: ({ loginEmails }) => `${loginEmails.length} accounts; Argon2id, so 8 connections`,
  },
]

/** Reads students of random ids, with all tokens in turn. */
export function getOne(seeded: Seeded): () => string {
  const random = seededRandom(1)
  return reading(seeded, () => `/api/students/${1 + Math.floor(random() * seeded.students)}`)
}

function reading({ viewerTokens, registrarTokens }: Seeded, path: () => string): () => string {
  const heads = [...viewerTokens, ...registrarTokens].map((token) => ` HTTP/1.1\r\n${headers(token)}\r\n`)
  let turn = 0
  return () => `GET ${path()}${heads[turn++ % heads.length]}`
}

function searchPath(word: string): string {
  return `/api/students?search=${encodeURIComponent(word)}`
}

let created = 0

/** Creates students of people that the seed did not make; no admission number comes twice in a run. */
export function create({ registrarTokens }: Seeded): () => string {
  const people = generatePeople(3)
  return () => {
    const { name, classId } = people.next().value
    const body = { name, admission_number: `bench-${++created}`, class_id: classId }
    return post('/api/students', body, headers(registrarTokens[created % registrarTokens.length]!))
  }
}

function login({ loginEmails, password }: Seeded): () => string {
  let turn = 0
  return () =>
    post('/api/auth/login', { email: loginEmails[turn++ % loginEmails.length], password }, headers())
}

function headers(token?: string): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  return `Host: 127.0.0.1\r\nAccept: */*\r\nUser-Agent: bench\r\n${authorization}`
}

function post(path: string, body: unknown, head: string): string {
  // UTF-8, each byte as one character: what the client writes is Latin-1.
  const bytes = Buffer.from(JSON.stringify(body)).toString('latin1')
  return `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n${bytes}`
}
