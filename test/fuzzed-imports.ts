import assert from 'node:assert/strict'
import { damagedFiles } from './damaged-files.ts'
import { openSchool, type Person, type School } from './school.ts'

/** How many people send files, each one at once. */
const atOnce = 6

/** How many files each sends before others do: who has fifty that wait may send no more. */
const mostEach = 40

/** How often the questions on a file are answered as they are proposed. */
const mostRounds = 3

const bytes = { 'content-type': 'application/octet-stream' }

/** How many files came to each end. */
export type Ends = Readonly<Record<string, number>>

/**
 * Sends damaged files to a school. Each is refused, asked about or planned; none makes the server fail, and none
 * writes a record.
 * @param first the number of the first file: a file is made of the seed and its number alone
 */
export async function fuzzImports(count: number, { seed = 1, first = 0 } = {}): Promise<Ends> {
  const school = await openSchool({ env: { IMPORT_MAX_BYTES: '1000000' } })
  const people: Person[] = []
  while (people.length < count / mostEach + atOnce) people.push(await school.person('registrar'))
  const before = await recordsOf(school)
  const fileOf = await damagedFiles(seed)
  const ends: Record<string, number> = {}
  for (let from = first; from < first + count; from += atOnce) {
    const those = people.slice(Math.floor((from - first) / (mostEach * atOnce)) * atOnce)
    const numbers = Array.from({ length: Math.min(atOnce, first + count - from) }, (_, i) => from + i)
    const all = await Promise.all(
      numbers.map(async (number, i) => endOf(school, those[i]!, number, await fileOf(number))),
    )
    for (const end of all) ends[end] = (ends[end] ?? 0) + 1
  }
  const faults = school.log.filter((line) => JSON.parse(line).level >= 50)
  assert.deepEqual(faults, [])
  assert.deepEqual(await recordsOf(school), before)
  return ends
}

/** Sends a file, and answers what is asked of it. @returns the status, or the state that it comes to */
async function endOf(school: School, as: Person, number: number, payload: Buffer): Promise<string> {
  const sent = await school.send('POST', '/api/imports', { as, payload, headers: bytes })
  const isRefused = sent.status >= 400 && sent.status < 500 && sent.status !== 409 // which says nothing of the file
  assert.ok(sent.status === 202 || isRefused, `file ${number}: ${sent.text}`)
  if (sent.status !== 202) return String(sent.status)
  const path = `/api/imports/${sent.body.data.id}`
  for (let round = 0; ; round++) {
    await school.app.importJobs.idle()
    const { body, headers } = await school.get(path, as)
    const { state, failure, questions } = body.data
    assert.ok(
      ['question', 'planned', 'refused'].includes(state),
      `file ${number}: ${JSON.stringify(failure)}`,
    )
    if (state === 'refused') return failure.code
    if (state === 'planned') {
      for (const query of ['', '?group=true', '?outcome=refused'])
        assert.equal((await school.get(`${path}/rows${query}`, as)).status, 200, `file ${number}`)
      const { statusCode } = await school.app.inject({
        url: `${path}/refused`,
        headers: { authorization: `Bearer ${as.token}` },
      })
      assert.ok(statusCode < 500, `file ${number}`)
      return state
    }
    if (round === mostRounds) return state
    const required = questions.filter((one: { required: boolean }) => one.required)
    const answers = Object.fromEntries(
      required.map(({ key, choices }: { key: string; choices: { answer: unknown }[] }) => [
        key,
        choices[0]!.answer,
      ]),
    )
    const answered = await school.send('PATCH', path, {
      ...{ as, body: { answers }, headers: { 'if-match': String(headers.etag) } },
    })
    // Another file may have been the same import, and answered meanwhile.
    assert.ok([200, 409, 412].includes(answered.status), `file ${number}: ${answered.text}`)
  }
}

async function recordsOf({ db }: School) {
  const tables = ['students', 'classes', 'fields', 'change_sets', 'events'] as const
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { count } = await db
      .selectFrom(table)
      .select((q) => q.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counts[table] = Number(count)
  }
  return counts
}
