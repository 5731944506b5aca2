import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type School } from '../../test/school.ts'

const day = 86_400

describe('a file whose dates have years of two digits', () => {
  let school: School
  let office: Importer
  before(async () => {
    school = await openSchool() // in 2026
    office = new Importer(school, await school.person('registrar'))
  })

  const header = 'Nachname;Vorname;Schülernummer;Klasse;Geburtsdatum'
  const key = 'short_years.Geburtsdatum'
  const fileOf = (name: string, ...dates: string[]) =>
    [header, ...dates.map((date, i) => `${name};Ada;${name}-${i};Class 1;${date}`), ''].join('\n')
  const sent = async (...file: Parameters<typeof fileOf>) => office.read(await office.send(fileOf(...file)))
  const keys = ({ questions }: Awaited<ReturnType<typeof sent>>) =>
    questions.filter(({ required }: { required: boolean }) => required).map(({ key }: { key: string }) => key)
  const daysOf = async (id: number) =>
    (await office.rows(id)).map(
      ({ cells }) => cells.find(({ column }: { column: string }) => column === 'date_of_birth')?.to as string,
    )
  /** Answers in which order names stand, too. */
  const answered = (asked: Awaited<ReturnType<typeof sent>>, answer: number | string) => {
    const order = keys(asked).includes('name_order') ? { name_order: 'family_first' } : {}
    return office.continued(asked, { answers: { ...order, [key]: answer } })
  }
  const planned = async (asked: Awaited<ReturnType<typeof sent>>, answer: number | string) => {
    const after = await answered(asked, answer)
    return after.state === 'planned' ? after : answered(after, answer)
  }

  it('is asked about once for the column, and read by the answer', async () => {
    const asked = await sent('Einmal', '18.02.19', '1.9.17', '24.12.98')
    assert.deepEqual([asked.state, keys(asked)[0]], ['question', key])
    const [{ choices }] = asked.questions
    assert.deepEqual(
      choices.map(({ answer, samples }: { answer: unknown; samples: string[] }) => [answer, samples[1]]),
      [
        [1927, '1.9.17: 1 September 2017'],
        ['refuse', '1.9.17: refused'],
      ],
    )
    const ready = await planned(asked, 1927)
    assert.deepEqual([ready.counts.create, ready.counts.refused], [3, 0])
    assert.deepEqual(await daysOf(ready.id), ['2019-02-18', '2017-09-01', '1998-12-24'])
  })

  it('has those rows refused where that is the answer, and the next file is asked about anew', async () => {
    const asked = await sent('Nein', '18.02.19', '1.9.2017')
    const ready = await planned(asked, 'refuse')
    assert.deepEqual([ready.counts.create, ready.counts.refused], [1, 1])
    const german = await office.refused(ready.id, '?language=de')
    assert.match(german.text, /Geburtsdatum: Das Jahr braucht vier Ziffern, wie in 9\.3\.2014\./)
    const [refused] = await office.rows(ready.id, '&outcome=refused')
    assert.deepEqual(refused.cells.at(-1).params, { year_digits: 4 })
    await office.applied(ready, { refused: 'skip' })
    const next = await sent('Nein2', '18.02.19')
    assert.ok(keys(next).includes(key))
    assert.equal(next.answers[key], undefined)
  })

  it('takes no other answer than those that are offered', async () => {
    const asked = await sent('Falsch', '18.02.19')
    for (const answer of [1926, 2000, 'soon']) {
      const { status, body } = await office.patch(asked, { answers: { [key]: answer } })
      assert.deepEqual([status, body.errors[0].pointer], [422, `/answers/${key}`])
    }
    const ready = await planned(asked, '1927')
    const { status } = await office.patch(ready, { answers: { [key]: 1850 } })
    assert.equal(status, 422)
    const anew = await office.continued(ready, { answers: { [key]: 1901 } })
    assert.deepEqual([anew.state, keys(anew)], ['question', [key]])
  })

  it('takes a kept answer over in a later year, but where it may mean other years by then', async () => {
    const first = await planned(await sent('Alt', '18.02.19', '13.5.27'), 1927)
    assert.deepEqual(await daysOf(first.id), ['2019-02-18', '1927-05-13'])
    await office.applied(first)
    const same = await sent('Alt2', '18.02.20')
    assert.deepEqual([same.state, same.answers[key]], ['planned', 1927])
    school.passSeconds(150 * day) // 2027
    office = new Importer(school, await school.person('registrar'))
    const later = await sent('Alt3', '18.02.20', '13.5.98')
    assert.deepEqual([later.state, await daysOf(later.id)], ['planned', ['2020-02-18', '1998-05-13']])
    const unsure = await sent('Alt4', '18.02.20', '13.1.27')
    assert.deepEqual([unsure.state, keys(unsure)], ['question', [key]])
    const { choices } = unsure.questions.find((one: { key: string }) => one.key === key)
    assert.deepEqual(choices[0].answer, 1928)
    const ready = await planned(unsure, 1928)
    assert.deepEqual(await daysOf(ready.id), ['2020-02-18', '2027-01-13'])
  })
})
