import type { Requests } from './client.ts'
import { generatePeople } from './people.ts'
import { pickEvenly, seededRandom } from './random.ts'
import type { Seeded } from './seed.ts'

/*
 * What clients send, whole requests as ready strings. Each function makes one that gives the next request,
 * with all tokens in turn.
 */

/** Reads students of random ids. */
export function getOne(seeded: Seeded): Requests {
  const random = seededRandom(1)
  return reading(seeded, () => `/api/students/${1 + Math.floor(random() * seeded.students)}`)
}

/** Lists a page of twenty. */
export function list(seeded: Seeded, page = 1): Requests {
  return reading(seeded, () => (page === 1 ? '/api/students' : `/api/students?page=${page}`))
}

/** The page on which the last of the seeded students stands. */
export function lastPage({ students }: Seeded): number {
  return Math.ceil(students / 20)
}

/** Searches for one of the words, at random. */
export function search(seeded: Seeded, ...words: readonly string[]): Requests {
  const random = seededRandom(2)
  return reading(seeded, () => searchPath(pickEvenly(random, words)))
}

export function searchPath(text: string): string {
  return `/api/students?search=${encodeURIComponent(text)}`
}

/** The same people's requests, but from class teachers. */
export function asTeacher(seeded: Seeded): Seeded {
  return { ...seeded, viewerTokens: seeded.teacherTokens, registrarTokens: [] }
}

/** Each connection types names and admission numbers by turns, letter by letter, each letter a search. */
export function typeAhead(seeded: Seeded): Requests {
  const texts = seeded.sample.flatMap(({ name, admissionNumber }) => [name, admissionNumber])
  const random = seededRandom(4)
  const typists: { letters: string[]; typed: number }[] = []
  return reading(seeded, (connection) => {
    let typist = typists[connection]
    if (typist === undefined || typist.typed === typist.letters.length)
      typist = typists[connection] = { letters: [...pickEvenly(random, texts)], typed: 0 }
    return searchPath(typist.letters.slice(0, ++typist.typed).join(''))
  })
}

let created = 0

/** Creates students of people that the seed did not make; no admission number comes twice in a run. */
export function create({ registrarTokens }: Seeded): Requests {
  const people = generatePeople(3)
  return () => {
    const { name, classId } = people.next().value
    const number = `gs-2027-${String(++created).padStart(6, '0')}`
    const body = { name, admission_number: number, class_id: classId }
    return post('/api/students', body, headers(registrarTokens[created % registrarTokens.length]!))
  }
}

/** Logs in with all accounts that are for it. */
export function login({ loginEmails, password }: Seeded): Requests {
  let turn = 0
  return () => logInAs(loginEmails[turn++ % loginEmails.length]!, password)
}

/** One login. */
export function logInAs(email: string, password: string): string {
  return post('/api/auth/login', { email, password }, headers())
}

/** The health check. */
export function health(): string {
  return `GET /api/health HTTP/1.1\r\n${headers()}\r\n`
}

function reading({ viewerTokens, registrarTokens }: Seeded, path: (connection: number) => string): Requests {
  const heads = [...viewerTokens, ...registrarTokens].map((token) => ` HTTP/1.1\r\n${headers(token)}\r\n`)
  let turn = 0
  return (connection) => `GET ${path(connection)}${heads[turn++ % heads.length]}`
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
