import type { Requests } from './client.ts'
import type { Goal } from './goals.ts'
import { everyNumberBegins } from './people.ts'
import { asTeacher, create, getOne, lastPage, list, login, search, typeAhead } from './requests.ts'
import type { Seeded } from './seed.ts'
import { teacherClasses } from './seed-accounts.ts'
import { figure } from './table.ts'

/** What a number of connections send. */
export interface Sending {
  readonly connections: number
  /** The least time from one request of a connection to its next: see `Load.everyMs`. */
  readonly everyMs?: number
  readonly requests: (seeded: Seeded) => Requests
}

/** One thing that clients do, as the benchmark does it over and over. */
export interface Operation extends Sending {
  readonly name: string
  readonly title: string
  /** On SQLite. */
  readonly goal?: Goal
  /** Whether PostgreSQL has a goal too, which is SQLite's time. */
  readonly isCompared?: boolean
  /** What other clients do meanwhile. */
  readonly beside?: Sending
  /** Whether the client never sleeps while its server needs one core alone: see `Load.neverSleeps`. */
  readonly neverSleeps?: boolean
  /** Whether the client has a thread of its own, so that what stands beside it costs it nothing. */
  readonly onThread?: boolean
  /** Whether other people's servers are asked it too. */
  readonly forPeers?: boolean
  /** What the title leaves out, once the database is known. */
  readonly remark?: (seeded: Seeded) => string
}

/** Ten writes a second. */
const creator: Sending = { connections: 1, everyMs: 100, requests: create }
/** Four clients that search for the most common word without pause. */
const searchers: Sending = { connections: 4, requests: (seeded) => search(seeded, everyNumberBegins) }

const million = 1_000_000

/** A search whose goal is the time that a single client waits. */
function searchAlone(limit: number, words: (seeded: Seeded) => readonly string[]) {
  const goal: Goal = { figure: 'p50', limit, students: million }
  const requests = (seeded: Seeded) => search(seeded, ...words(seeded))
  return { connections: 1, goal, beside: creator, requests }
}

const rareWords = ({ words }: Seeded) => words.rare.map(({ word }) => word)
const rareRemark = ({ words: { rare } }: Seeded) => {
  const hits = rare.map(({ hits }) => hits)
  return `${rare.length} words at random, hits ${Math.min(...hits)} to ${Math.max(...hits)}`
}
const remarkOn = ({ word, hits }: { word: string; hits: number }) => `"${word}", some ${figure(hits)} hits`

const teacherRemark = `the students of classes ${teacherClasses.join(' and ')} alone`

/** In the order in which they run: those that write most come last, so that the readers see the seeded size. */
export const operations: readonly Operation[] = [
  {
    name: 'get',
    title: 'get one',
    connections: 64,
    neverSleeps: true,
    goal: { figure: 'ofBare', limit: 0.4 },
    isCompared: true,
    beside: creator,
    forPeers: true,
    requests: getOne,
    remark: ({ students, viewerTokens, registrarTokens }) =>
      `random ids of ${figure(students)}, ${figure(viewerTokens.length + registrarTokens.length)} tokens`,
  },
  {
    name: 'list',
    title: 'list page 1',
    connections: 64,
    neverSleeps: true,
    goal: { figure: 'ofBare', limit: 0.25 },
    isCompared: true,
    beside: creator,
    forPeers: true,
    requests: list,
    remark: () => '20 records and the total',
  },
  {
    name: 'last',
    title: 'list the last page',
    connections: 1,
    goal: { figure: 'p50', limit: 10, students: million },
    beside: creator,
    requests: (seeded) => list(seeded, lastPage(seeded)),
    remark: (seeded) => `page ${figure(lastPage(seeded))}`,
  },
  {
    name: 'rare',
    title: 'search a rare word',
    connections: 64,
    neverSleeps: true,
    goal: { figure: 'ofBare', limit: 0.2 },
    isCompared: true,
    beside: creator,
    forPeers: true,
    requests: (seeded) => search(seeded, ...rareWords(seeded)),
    remark: rareRemark,
  },
  {
    name: 'rare-alone',
    title: 'search a rare word, alone',
    ...searchAlone(5, rareWords),
    isCompared: true,
    remark: rareRemark,
  },
  {
    name: 'two-words',
    title: 'search two words',
    ...searchAlone(35, ({ words }) => [words.twoWords]),
    remark: ({ words: { twoWords } }) => `"${twoWords}"`,
  },
  {
    name: 'common',
    title: 'search a common word',
    ...searchAlone(15, ({ words }) => [words.common.word]),
    forPeers: true,
    remark: ({ words: { common } }) => remarkOn(common),
  },
  {
    name: 'one-letter',
    title: 'search one letter',
    ...searchAlone(25, ({ words }) => [words.oneLetter.word]),
    remark: ({ words: { oneLetter } }) => remarkOn(oneLetter),
  },
  {
    name: 'two-letters',
    title: 'search two letters',
    ...searchAlone(25, ({ words }) => [words.twoLetters.word]),
    remark: ({ words: { twoLetters } }) => remarkOn(twoLetters),
  },
  {
    name: 'everywhere',
    title: 'search what every record holds',
    ...searchAlone(60, () => [everyNumberBegins]),
    remark: () => `"${everyNumberBegins}"`,
  },
  {
    name: 'teacher-list',
    title: 'list page 1, as a class teacher',
    connections: 64,
    neverSleeps: true,
    beside: creator,
    requests: (seeded) => list(asTeacher(seeded)),
    remark: () => teacherRemark,
  },
  {
    name: 'teacher-rare',
    title: 'search a rare word, as a class teacher',
    connections: 64,
    neverSleeps: true,
    beside: creator,
    requests: (seeded) => search(asTeacher(seeded), ...rareWords(seeded)),
    remark: () => teacherRemark,
  },
  {
    name: 'teacher-common',
    title: 'search a common word, as a class teacher',
    connections: 1,
    beside: creator,
    requests: (seeded) => search(asTeacher(seeded), seeded.words.common.word),
    remark: ({ words: { common } }) => remarkOn(common),
  },
  {
    name: 'typing',
    title: 'type ahead',
    connections: 8,
    everyMs: 100,
    goal: { figure: 'p99', limit: 50 },
    beside: creator,
    requests: typeAhead,
    remark: () => 'names and admission numbers, a search each letter, every 100 ms',
  },
  {
    name: 'beside-searches',
    title: 'get one beside searches',
    connections: 1,
    everyMs: 5,
    goal: { figure: 'p99', limit: 10 },
    beside: searchers,
    onThread: true,
    requests: getOne,
    remark: () => `every 5 ms, while 4 clients search "${everyNumberBegins}" without pause`,
  },
  { name: 'create', title: 'create', connections: 64, forPeers: true, requests: create },
  {
    name: 'login',
    title: 'login',
    connections: 8,
    forPeers: true,
    requests: login,
    remark: ({ loginEmails }) => `${loginEmails.length} accounts; Argon2id, so 8 connections`,
  },
]
