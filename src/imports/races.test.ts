import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { engine, onlyOn } from '../../test/engine.ts'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'
import { stage } from '../../test/staged-imports.ts'
import { openStudentLists } from '../students/lists/lists.ts'
import { ImportJobs } from './jobs.ts'
import { LeaseLostError } from './leases.ts'
import type { Step } from './steps.ts'
import { steps } from './steps.ts'

const header = 'name,admission_number,class'

/** More rows than a slice has. */
const rows = (prefix: string) =>
  Array.from({ length: 300 }, (_, i) => `Ra Ce${prefix}${i},${prefix}-${i},Class 1`)
const fileOf = (lines: readonly string[], columns = header) => `${columns}\n${lines.join('\n')}\n`

describe('what happens between two slices of an import', () => {
  let school: School
  let registrar: Person
  let admin: Person
  let importer: Importer
  /** What is done once, after the next slice. */
  let meanwhile: (() => Promise<unknown>) | undefined
  let runs = 0
  let prefix: string

  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    admin = await school.person('administrator')
    await school.app.importJobs.stop()
    const { db, app } = school
    const interrupted =
      (step: Step): Step =>
      (imported, work) =>
        step(imported, {
          ...work,
          async beat(...of) {
            const now = meanwhile
            meanwhile = undefined
            await now?.()
            await work.beat(...of)
          },
        })
    const jobs = new ImportJobs({
      ...{ db, clock: () => school.now(), lists: openStudentLists(db), log: app.log },
      steps: {
        reading: interrupted(steps.reading),
        applying: interrupted(steps.applying),
        undoing: interrupted(steps.undoing),
      },
    })
    importer = new Importer(school, registrar, async () => {
      jobs.look()
      await jobs.idle()
    })
  })
  beforeEach(() => {
    prefix = `rc${++runs}n` // a number without its hyphen is another run's number else
  })

  const edit = (id: number, body: object) =>
    school.send('PATCH', `/api/students/${id}`, { as: registrar, body, headers: { 'if-match': '*' } })

  const shown = async (id: number) => (await school.get(`/api/students/${id}`, registrar)).body.data

  const found = async (search = `${prefix}-`) => {
    const { body } = await school.get(`/api/students?search=${search}&per_page=1`, registrar)
    return body.pagination.total
  }

  const idOf = async (number: string) =>
    (
      await school.get(`/api/students?search=${number}&columns=id,admission_number`, registrar)
    ).body.data.find((one: { admission_number: string }) => one.admission_number === number).id

  /** Applies a file, with this done after the first slice. */
  async function applied(lines: readonly string[], work: () => Promise<unknown>, columns = header) {
    const planned = await importer.planned(fileOf(lines, columns))
    meanwhile = work
    const after = await importer.applied(planned)
    assert.equal(meanwhile, undefined, 'it was one slice')
    return after
  }

  it('ends it where a number was taken: nothing of it is left, and who took the number stays', async () => {
    let id = 0
    const { state, failure } = await applied(rows(prefix), async () => {
      id = await school.student(registrar, { admission_number: `${prefix}-299`, name: 'Me First' })
    })
    assert.deepEqual([state, failure.code], ['failed', 'admission_number_taken'])
    assert.equal(await found(), 1)
    assert.equal((await shown(id)).name, 'Me First')
  })

  it('ends it where a cell was edited that it would change, and keeps the edit', async () => {
    const number = `${prefix}-old`
    const id = await school.student(registrar, { admission_number: number, name: 'Be Fore' })
    const lines = [...rows(prefix), `Af Ter,${number},Class 1`]
    const { state, failure, id: imported } = await applied(lines, () => edit(id, { name: 'By Hand' }))
    assert.deepEqual([state, failure.code], ['failed', 'row_not_applied'])
    assert.match(failure.detail, /^Row 302 would change what somebody else changed/)
    assert.deepEqual(failure.params, { row: 302, reason: 'cell_changed' })
    assert.deepEqual([(await shown(id)).name, await found()], ['By Hand', 1])
    assert.equal((await importer.rows(imported, '&kept=true')).length, 0)
  })

  it('leaves an edit of another cell as it is', async () => {
    const number = `${prefix}-old`
    const id = await school.student(registrar, { admission_number: number, name: 'Be Fore' })
    const lines = [...rows(prefix), `Af Ter,${number},Class 2`]
    const { state } = await applied(lines, () => edit(id, { preferred_name: 'Handy' }))
    assert.equal(state, 'applied')
    const { name, preferred_name, class_id } = await shown(id)
    assert.deepEqual([name, preferred_name, class_id], ['Af Ter', 'Handy', 2])
  })

  it('ends it where a student is removed, or a class archived, that it needs', async () => {
    const { id: classId } = (await school.post('/api/classes', { label: `K ${prefix}` }, admin)).body.data
    const lines = [...rows(prefix), `La St,${prefix}-last,K ${prefix}`]
    const { state, failure } = await applied(lines, async () => {
      const body = { archived: true }
      const headers = { 'if-match': '*' }
      const { status } = await school.send('PATCH', `/api/classes/${classId}`, { as: admin, body, headers })
      assert.equal(status, 200)
    })
    assert.deepEqual([state, failure.code], ['failed', 'row_not_applied'])
    assert.equal(await found(), 0)
    const [told] = school.log.filter((line) => /could not go on, and is taken back/.test(line)).slice(-1)
    const { level, code, reason } = JSON.parse(told!)
    assert.deepEqual([level, code, reason], ['warn', 'row_not_applied', 'class_closed'])
  })

  it('ends it where a field of the school’s own is archived that it fills', async () => {
    const key = `field_${prefix}`
    const made = await school.post('/api/fields', { key, label: `Field ${prefix}`, kind: 'text' }, admin)
    assert.equal(made.status, 201, made.text)
    const lines = rows(prefix).map((row) => `${row},x`)
    const archive = async () => {
      const { id } = made.body.data
      const more = { as: admin, body: { archived: true }, headers: { 'if-match': '*' } }
      const { status, text } = await school.send('PATCH', `/api/fields/${id}`, more)
      assert.equal(status, 200, text)
    }
    const { state, failure } = await applied(lines, archive, `${header},fields.${key}`)
    assert.deepEqual([state, failure.code], ['failed', 'row_not_applied'], JSON.stringify(failure))
    assert.match(failure.detail, /^Row \d+ holds a value that a field of the school's own does not take/)
    assert.equal(await found(), 0)
  })

  describe('a student whom a row matched', () => {
    const columns = 'name,admission_number,class,identifiers.UPN,preferred_name'
    const upn = (...values: string[]) => ({
      identifiers: values.map((value) => ({ system: 'UPN', value })),
    })

    /** Applies a row, behind others, that matches a student by UPN, with this done meanwhile. */
    async function matched(upns: string, work: (id: number) => Promise<unknown>) {
      const identifiers = upns.split('|').map((value) => ({ system: 'UPN', value: `${prefix}${value}` }))
      const given = { admission_number: `${prefix}-old`, name: 'Fir St', identifiers }
      const id = await school.student(registrar, given)
      const row = `,,,"${identifiers.map(({ value }) => value).join('\n')}",Handy`
      const lines = rows(prefix).map((line, i) => `${line},${prefix}u${i},`)
      const read = await importer.planned(fileOf([...lines, row], columns))
      const planned = await importer.continued(read, { answers: { match: 'identifiers.UPN' } })
      assert.equal(planned.counts.change, 1, JSON.stringify(planned))
      meanwhile = () => work(id)
      const { state, failure } = await importer.applied(planned)
      return { state, failure, id }
    }

    it('is not changed where the identifier went to another student: that ends it', async () => {
      let other = 0
      const { state, failure, id } = await matched('x', async (first) => {
        assert.equal((await edit(first, { identifiers: null })).status, 200)
        const given = { admission_number: `${prefix}-new`, name: 'Se Cond', ...upn(`${prefix}x`) }
        other = await school.student(registrar, given)
      })
      assert.deepEqual([state, failure?.code], ['failed', 'row_not_applied'])
      assert.match(failure.detail, /^Row 302 does not match its student any more: identifiers.UPN changed/)
      const names = [(await shown(id)).preferred_name, (await shown(other)).preferred_name]
      assert.deepEqual([...names, await found()], [null, null, 2])
    })

    it('is not changed where one of its identifiers became another', async () => {
      const { state, id } = await matched('x|y', (first) => edit(first, upn(`${prefix}x`, `${prefix}z`)))
      assert.deepEqual([state, (await shown(id)).preferred_name], ['failed', null])
    })

    it('is changed where others came to these identifiers, or all else became another', async () => {
      const { state, id } = await matched('x', (first) =>
        edit(first, {
          ...upn(`${prefix}X`, `${prefix}y`),
          name: 'By Hand',
          admission_number: `${prefix}-now`,
        }),
      )
      const { name, preferred_name } = await shown(id)
      assert.deepEqual([state, name, preferred_name], ['applied', 'By Hand', 'Handy'])
    })

    it('is changed though it has another number, where a person said that it is the one', async () => {
      const id = await school.student(registrar, { admission_number: `${prefix}-0907`, name: 'Be Fore' })
      const other = await school.student(registrar, { admission_number: `${prefix}-a`, name: `Sa ${prefix}` })
      const said = [`Af Ter,${prefix}-907,Class 1`, `Sa ${prefix},${prefix}-b,Class 1`]
      const planned = await importer.planned(fileOf([...rows(prefix), ...said]))
      const decisions = [id, other].map((id, i) => ({ row: 302 + i, decision: 'same', id }))
      const decided = await importer.continued(planned, { decisions })
      meanwhile = () => Promise.all([id, other].map((one) => edit(one, { preferred_name: 'Handy' })))
      const { state, failure } = await importer.applied(decided)
      assert.equal(state, 'applied', JSON.stringify(failure))
      const now = [(await shown(id)).name, (await shown(other)).admission_number]
      assert.deepEqual(now, ['Af Ter', `${prefix}-b`])
    })

    it('is not changed where the number became another by which it matched', async () => {
      const number = `${prefix}-old`
      const id = await school.student(registrar, { admission_number: number, name: 'Be Fore' })
      const lines = [...rows(prefix), `Af Ter,${number},Class 1`]
      const { state, failure } = await applied(lines, () => edit(id, { admission_number: `${prefix}-now` }))
      assert.deepEqual([state, failure?.code], ['failed', 'row_not_applied'])
      assert.equal((await shown(id)).name, 'Be Fore')
    })
  })

  describe('a child who comes', () => {
    const columns = `${header},date_of_birth`
    const born = () => `2014-01-${10 + runs}`
    const lines = () =>
      rows(prefix).map((line, i) => (i === 299 ? `Ca Mé ${prefix},${prefix}-299,Class 1,${born()}` : line))
    const come = (given: object) => () =>
      school.student(registrar, { name: `ca me ${prefix}`, class_id: 2, ...given })

    it('ends it where a later row would make that child again, whoever made it', async () => {
      const byHand = await applied(lines(), come({ date_of_birth: born() }), columns)
      assert.deepEqual([byHand.state, byHand.failure?.code], ['failed', 'row_not_applied'])
      assert.match(byHand.failure.detail, /^Row 301 may be of a student who came since it was planned/)
      assert.equal(await found(), 0)
    })

    it('ends it where another import made the child', async () => {
      const other = await stage(school, registrar, {
        header: ['name', 'admission_number', 'class_id'],
        rows: [[`Ra Ce${prefix}299`, `${prefix}other`, '1']],
      })
      await other.plan()
      const { state, failure } = await applied(rows(prefix), async () => {
        assert.equal(await other.apply(registrar), 'applied')
      })
      assert.deepEqual([state, failure?.code], ['failed', 'row_not_applied'])
      assert.equal(await found(), 0)
      assert.equal(await found(`${prefix}other`), 1)
    })

    it('does not end it where it is another child, or of a row that was applied before', async () => {
      const { state } = await applied(
        lines(),
        async () => {
          await come({ date_of_birth: '2013-01-02' })()
          await come({ class_id: 1 })()
          await come({ name: `Ra Ce${prefix}0`, class_id: 1 })()
        },
        columns,
      )
      assert.equal(state, 'applied')
      assert.equal(await found(), 300)
    })

    it('is none of those whom the import itself made, who may be alike', async () => {
      const twin = `Ca Mé ${prefix},${prefix}-twin,Class 1,${born()}`
      const planned = await importer.planned(fileOf([twin, ...lines()], columns))
      const decisions = [2, 302].map((row) => ({ row, decision: 'new' }))
      const decided = await importer.continued(planned, { decisions })
      meanwhile = come({ name: 'Some Body' })
      const { state, failure } = await importer.applied(decided)
      assert.deepEqual([state, await found()], ['applied', 301], JSON.stringify(failure))
    })

    it('ends it though the instance died in between that applied the first rows', async () => {
      const planned = await importer.planned(fileOf(lines(), columns))
      meanwhile = async () => {
        await come({ date_of_birth: born() })()
        throw new LeaseLostError('another instance has it')
      }
      assert.equal((await importer.applied(planned)).state, 'applying')
      const { state, failure } = await importer.read(planned.id)
      assert.deepEqual([state, failure?.code], ['failed', 'row_not_applied'])
      assert.equal(await found(), 0)
    })
  })

  describe('what tells how rows are read', () => {
    const patch = async (path: string, body: object) => {
      const { status, text } = await school.send('PATCH', path, {
        ...{ as: admin, body, headers: { 'if-match': '*' } },
      })
      assert.equal(status, 200, text)
    }

    /** Plans a file anew, with this done amid the survey. */
    async function plannedAnew(file: string, work: () => Promise<unknown>) {
      const planned = await importer.planned(file)
      meanwhile = work
      const anew = await importer.continued(planned, {})
      assert.equal(meanwhile, undefined, 'nothing was done meanwhile')
      return anew
    }

    it('is a class that gives its label to another: the plan is out of date, and then has the other', async () => {
      const label = `K ${prefix}`
      const make = async () => (await school.post('/api/classes', { label }, admin)).body.data.id
      const before = await make()
      let now = 0
      const lines = rows(prefix).map((row) => row.replace('Class 1', label))
      const planned = await plannedAnew(fileOf(lines), async () => {
        await patch(`/api/classes/${before}`, { label: `${label} old` })
        now = await make()
      })
      assert.equal((await importer.apply(planned)).body.code, 'plan_outdated')
      assert.equal((await importer.applied(await importer.read(planned.id))).state, 'applied')
      assert.equal((await shown(await idOf(`${prefix}-0`))).class_id, now)
    })

    it('is a field, or the order of names: a plan by the former is out of date', async () => {
      const key = `field_${prefix}`
      const { id } = (await school.post('/api/fields', { key, label: key, kind: 'text' }, admin)).body.data
      const lines = rows(prefix).map((row) => `${row},x`)
      const changes = [
        () => patch('/api/school', { name_order: 'family_first' }),
        () => patch('/api/school', { name_order: 'given_first' }),
        () => patch(`/api/fields/${id}`, { archived: true }),
      ]
      for (const [i, change] of changes.entries()) {
        const file = fileOf(lines.slice(i), `${header},fields.${key}`)
        const { status, body } = await importer.apply(await plannedAnew(file, change))
        assert.deepEqual([status, body.code], [409, 'plan_outdated'], `change ${i}`)
      }
    })
  })

  it('stays in an undo where a record that is still to be undone is edited', async () => {
    const { state, id } = await importer.applied(await importer.planned(fileOf(rows(prefix))))
    assert.equal(state, 'applied')
    const edited = await idOf(`${prefix}-0`)
    meanwhile = () => edit(edited, { preferred_name: 'Handy' })
    assert.equal((await importer.undone(id)).state, 'undone')
    assert.deepEqual([await found(), (await shown(edited)).preferred_name], [1, 'Handy'])
    const kept = await importer.rows(id, '&kept=true')
    assert.deepEqual(
      kept.map(({ row, kept }) => [row, kept]),
      [[2, ['preferred_name']]],
    )
  })

  it('may take the number of a student whom the undo has removed', async () => {
    const { id } = await importer.applied(await importer.planned(fileOf(rows(prefix))))
    meanwhile = () => school.student(registrar, { admission_number: `${prefix}-299`, name: 'Free Again' })
    assert.equal((await importer.undone(id)).state, 'undone')
    assert.equal(await found(), 1)
  })

  it('cannot cancel it, nor apply or undo it twice', async () => {
    const planned = await importer.planned(fileOf(rows(prefix)))
    const codes: string[] = []
    const tryAll = async () => {
      const now = await school.get(`/api/imports/${planned.id}`, registrar)
      const again = { id: planned.id, tag: String(now.headers.etag) }
      const cancel = school.post(`/api/imports/${planned.id}/cancel`, undefined, registrar)
      for (const answer of [await cancel, await importer.apply(again), await importer.undo(planned.id)])
        codes.push(answer.body.code)
    }
    meanwhile = tryAll
    assert.equal((await importer.applied(planned)).state, 'applied')
    meanwhile = tryAll
    assert.equal((await importer.undone(planned.id)).state, 'undone')
    assert.deepEqual(codes, Array(6).fill('import_state'))
    assert.equal(await found(), 0)
  })
})

describe('instances at once', () => {
  let schools: School[]
  let registrar: Person
  before(async () => {
    const first = await openSchool()
    const { databaseUrl } = first
    // A SQLite file has one server.
    const others = engine === 'postgres' ? [1, 2] : []
    schools = [first, ...(await Promise.all(others.map(() => openSchool({ databaseUrl }))))]
    registrar = await first.person('registrar')
  })

  const importers = () => schools.map((school) => new Importer(school, registrar, idleAll))

  async function idleAll() {
    for (const school of schools) school.app.importJobs.look()
    for (const school of schools) await school.app.importJobs.idle()
  }

  it('read, apply and undo each import once, whoever of three is asked', onlyOn('postgres'), async () => {
    const [one, two, three] = importers() as [Importer, Importer, Importer]
    const prefixes = ['ta', 'tb', 'tc', 'td', 'te', 'tf']
    const ids: number[] = []
    for (const [i, prefix] of prefixes.entries())
      ids.push(await importers()[i % 3]!.send(fileOf(rows(prefix).slice(0, 40)), `?file_name=${prefix}`))
    const counts = async () => {
      const found = await schools[0]!.db
        .selectFrom('events')
        .innerJoin('change_sets', 'change_sets.id', 'events.change_set_id')
        .select((q) => ['kind', q.fn.countAll<number>().as('count')])
        .where('kind', 'in', ['import', 'undo'])
        .groupBy('kind')
        .execute()
      return Object.fromEntries(found.map(({ kind, count }) => [kind, Number(count)]))
    }
    const planned = []
    for (const id of ids) planned.push(await one.read(id))
    const applied = await Promise.all(planned.flatMap((it) => [one, two, three].map((by) => by.apply(it))))
    assert.equal(
      applied.filter(({ status }) => status === 202).length,
      ids.length,
      JSON.stringify(applied.map(({ status, body }) => [status, body.code, body.detail])),
    )
    for (const { status, body } of applied.filter(({ status }) => status !== 202))
      assert.ok([409, 412].includes(status), JSON.stringify(body))
    for (const id of ids) assert.equal((await two.read(id)).state, 'applied')
    assert.deepEqual(await counts(), { import: 40 * ids.length })
    const undone = await Promise.all(ids.flatMap((id) => [one, two, three].map((by) => by.undo(id))))
    assert.equal(undone.filter(({ status }) => status === 202).length, ids.length)
    for (const id of ids) assert.equal((await three.read(id)).state, 'undone')
    assert.deepEqual(await counts(), { import: 40 * ids.length, undo: 40 * ids.length })
  })

  it('leave an edit and an import of one student in an order: both count, or one is refused', async () => {
    const [one] = importers() as [Importer]
    const editing = schools.at(-1)!
    for (let round = 0; round < 6; round++) {
      const [number, prefix] = [`ed-${round}`, `ex${round}`]
      const id = await editing.student(registrar, { admission_number: number, name: 'Be Fore' })
      const file = fileOf([...rows(prefix).slice(0, 120), `Af Ter,${number},Class 1`])
      const planned = await one.planned(file)
      const body = { name: 'By Hand' }
      const [asked, edited] = await Promise.all([
        one.apply(planned),
        editing.send('PATCH', `/api/students/${id}`, { as: registrar, body, headers: { 'if-match': '*' } }),
      ])
      assert.equal(edited.status, 200)
      const { state } = await one.read(planned.id)
      const { name } = (await editing.get(`/api/students/${id}`, registrar)).body.data
      const path = `/api/students?search=${prefix}-&per_page=1`
      const there = (await editing.get(path, registrar)).body.pagination.total
      assert.ok([202, 409].includes(asked.status), asked.text)
      assert.equal(there, state === 'applied' ? 120 : 0, state)
      // What is applied after the edit is refused, so the edit is never lost.
      assert.equal(name, 'By Hand', state)
    }
  })
})
