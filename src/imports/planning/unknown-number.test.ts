import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer, type ShownImport } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'

describe('a row with a number that no student has', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
    await make({ name: 'Ada One', admission_number: 'S-10001' })
  })

  const make = (given: object) => school.student(registrar, { class_id: 1, ...given })
  /** The plan of a file; children who are there stay in their classes. */
  const planOf = async (file: string, query = '') => {
    const read = await importer.read(await importer.send(file, query))
    const keys = read.questions.map(({ key }: { key: string }) => key)
    const known = Object.entries({ class_id: 'none', match: 'identifiers.sis' })
    const answers = Object.fromEntries(known.filter(([key]) => keys.includes(key)))
    const planned = read.state === 'question' ? await importer.continued(read, { answers }) : read
    assert.equal(planned.state, 'planned', JSON.stringify(planned.questions))
    return planned
  }
  const faultsOf = async ({ id }: Pick<ShownImport, 'id'>) =>
    (await importer.rows(id, '&outcome=refused')).map(({ cells }) => cells)

  it('is told once, with what a new one would need, where the file has no columns for that', async () => {
    const planned = await planOf('admission_number,gender\nS-10001,f\nS-99999,m\n')
    assert.deepEqual([planned.counts.change, planned.counts.refused], [1, 1])
    const unknown = {
      ...{ column: 'admission_number', code: 'unknown_student', to: 'S-99999' },
      detail: 'is of no student: a new one needs a name and a class, which the file does not have',
      params: { lacking: ['name', 'class'] },
    }
    assert.deepEqual(await faultsOf(planned), [[unknown]])
    const said = {
      en: 'No student has the number S-99999. A new one needs a name and a class, which the file does not have.',
      de: 'Kein Kind hat die Nummer S-99999. Ein neues braucht einen Namen und eine Klasse. In der Datei steht das nicht.',
      ar: 'لا طالب يحمل الرقم \u2068S-99999\u2069. والطالب الجديد يلزمه اسم وصف، وليس ذلك في الملف.',
    }
    for (const [language, sentence] of Object.entries(said)) {
      const { text } = await importer.refused(planned.id, `?language=${language}`)
      assert.ok(text.includes(`admission_number: ${sentence}`), text)
    }
  })

  it('is told beside what else is wrong with the row', async () => {
    const planned = await planOf('admission_number,name,email\nS-99998,No Class,no address\nS-99997,,\n')
    const [one, other] = await faultsOf(planned)
    const told = (cells: { column: string; code: string; params?: object }[]) =>
      cells.map(({ column, code, params }) => [column, code, params])
    const unknown = ['admission_number', 'unknown_student', { lacking: ['class'] }]
    assert.deepEqual(told(one), [unknown, ['email', 'invalid_format', undefined]])
    assert.deepEqual(told(other), [unknown, ['name', 'required', undefined]])
  })

  it('is told of the identifier by which rows are matched', async () => {
    await make({ name: 'Bo Two', identifiers: [{ system: 'sis', value: 'i-1' }] })
    const planned = await planOf('identifiers.sis,gender\ni-1,f\ni-2,m\n', '?mode=mirror')
    assert.equal(planned.counts.change, 1)
    const [[cell, ...others]] = (await faultsOf(planned)) as [{ detail: string }[]]
    assert.deepEqual(others, [])
    assert.deepEqual(cell, {
      ...{ column: 'identifiers.sis', code: 'unknown_student', to: 'i-2' },
      detail:
        'is of no student: a new one needs an admission number, a name and a class, which the file does not have',
      params: { lacking: ['admission_number', 'name', 'class'] },
    })
  })

  it('is told of no number that is or was another student’s, and not where all rows are to be new', async () => {
    school.passSeconds(40 * 86_400)
    registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
    const change = { as: registrar, body: { admission_number: 'S-10002' }, headers: { 'if-match': '*' } }
    const id = await make({ name: 'Cy Former', admission_number: 'S-old' })
    school.passSeconds(40 * 86_400)
    change.as = registrar = await school.person('registrar')
    importer = new Importer(school, registrar)
    assert.equal((await school.send('PATCH', `/api/students/${id}`, change)).status, 200)
    const codesOf = async (planned: ShownImport) =>
      (await faultsOf(planned)).map((cells) => cells.map(({ code }: { code: string }) => code))
    const former = await planOf('admission_number,gender\nS-old,x\n')
    assert.deepEqual(await codesOf(former), [['required', 'required', 'taken'].toSorted()])
    const created = await planOf('admission_number,gender\nS-99996,x\n', '?mode=create')
    assert.deepEqual(await codesOf(created), [['required', 'required']])
  })

  it('is asked about where a student is there whose number or name it may be, and is that student if one says so', async () => {
    const zeros = await make({ name: 'Di Zeros', admission_number: '0042' })
    const born = { date_of_birth: '2014-05-06' }
    const [dated, other] = [
      await make({ name: 'Ed Dated', admission_number: 'S-1', ...born }),
      await make({ name: 'Flo Other', admission_number: 'S-2', ...born }),
    ]
    const doubtsOf = async ({ id }: Pick<ShownImport, 'id'>) =>
      (await importer.rows(id, '&outcome=doubtful')).map(({ row, cells }) => {
        const { code, ids } = cells.at(-1)
        return [row, code, ids]
      })
    const damaged = await planOf('admission_number,email\n42,di@school.example\n43,no@school.example\n')
    assert.deepEqual(await doubtsOf(damaged), [[2, 'similar_number', [zeros]]])
    assert.deepEqual([damaged.counts.doubtful, damaged.counts.refused], [1, 1])

    const rows = [',Ed Dated,,2014-05-06,a', ',flo other,,2014-05-06,b', 'S-9,Gus New,,2014-05-06,c']
    const file = ['admission_number,name,class,date_of_birth,gender', ...rows, ''].join('\n')
    const unnumbered = await planOf(file)
    assert.deepEqual(await doubtsOf(unnumbered), [
      [2, 'same_name_and_date', [dated]],
      [3, 'same_name_and_date', [other]],
    ])
    const decisions = [
      { row: 2, decision: 'same', id: dated },
      { row: 3, decision: 'new' },
    ]
    const { counts } = await importer.continued(unnumbered, { decisions })
    assert.deepEqual([counts.change, counts.doubtful, counts.refused], [1, 0, 2])
    const codes = (await faultsOf(unnumbered)).map((cells) => cells.map(({ code }: { code: string }) => code))
    assert.deepEqual(codes, [['required', 'required'], ['required']])
    const created = await planOf(file, '?mode=create')
    assert.deepEqual([created.counts.doubtful, created.counts.refused], [0, 3])
  })

  it('groups such rows, whichever numbers they have', async () => {
    const { id } = await planOf('admission_number,gender\nS-9,f\nS-8,m\nS-7,m\n', '?mode=update')
    const [group, ...others] = await importer.rows(id, '&outcome=refused&group=true')
    assert.deepEqual([group.count, others], [3, []])
    assert.equal(group.first.cells[0].to, 'S-9')
  })
})
