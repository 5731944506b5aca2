import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { grant } from '../../../test/grants.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { type StagedFile, stage } from '../../../test/staged-imports.ts'

describe('the plan of an import', () => {
  let school: School
  let registrar: Person
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
  })

  const header = ['admission_number', 'name', 'class_id']

  it('tells for each row what it would change, and counts add up', async () => {
    const [same, changed] = [
      await school.student(registrar, { name: 'Ada', admission_number: 'p-1', class_id: 2 }),
      await school.student(registrar, { name: 'Bo', admission_number: 'p-2', class_id: 2 }),
    ]
    const staged = await stage(school, registrar, {
      header,
      rows: [
        ['p-1', 'Ada', '2'],
        ['P-2', 'Bob', '3'],
        ['p-3', 'Cy', '99'],
        ['p-4', 'Di', '4'],
        ['', 'Ed', ''],
      ],
    })
    assert.deepEqual(await staged.plan(), { rows: 5, create: 1, change: 1, unchanged: 1, refused: 2 })
    assert.deepEqual(await staged.rows(registrar), [
      { row: 2, outcome: 'unchanged', id: same, cells: [], outdated: false },
      {
        ...{ row: 3, outcome: 'change', id: changed, outdated: false },
        cells: [
          { column: 'admission_number', from: 'p-2', to: 'P-2' },
          { column: 'name', from: 'Bo', to: 'Bob' },
          { column: 'class', from: 'Class 2', to: 'Class 3' },
        ],
      },
      {
        ...{ row: 4, outcome: 'refused', outdated: false },
        cells: [{ column: 'class', code: 'unknown_class', detail: 'must be a class that is there' }],
      },
      {
        ...{ row: 5, outcome: 'create', outdated: false },
        cells: [
          { column: 'admission_number', from: null, to: 'p-4' },
          { column: 'name', from: null, to: 'Di' },
          { column: 'class', from: null, to: 'Class 4' },
        ],
      },
      {
        ...{ row: 6, outcome: 'refused', outdated: false },
        cells: [
          { column: 'admission_number', code: 'required', detail: 'is required' },
          { column: 'class', code: 'required', detail: 'is required' },
        ],
      },
    ])
    assert.deepEqual(
      (await staged.rows(registrar, { column: 'class', outcome: 'change' })).map(({ row }) => row),
      [3],
    )
  })

  it('holds a class that is out of the scope as one that is not there', async () => {
    const clerk = await school.person()
    const held = ['students.view', 'students.create', 'students.update', 'students.import'] as const
    await grant(school, clerk, [held, [5]])
    const staged = await stage(school, clerk, {
      header,
      rows: [
        ['s-1', 'Ada Scope', '5'],
        ['s-2', 'Bo Scope', '6'],
        ['s-3', 'Cy Scope', '98'],
      ],
    })
    assert.deepEqual(await staged.plan(), { rows: 3, create: 1, refused: 2 })
    const [one, other] = await staged.rows(clerk, { outcome: 'refused' })
    assert.deepEqual(one!.cells, other!.cells)
  })

  it('tells whoever may not see what is sensitive nothing of a row that compares it', async () => {
    const viewer = await school.person('viewer')
    const staged = await stage(school, registrar, {
      header: [...header, 'date_of_birth', 'guardian_1_name'],
      rows: [['h-1', 'Hidden', '5', '2014-03-09', 'Jo']],
    })
    await staged.plan()
    const [row] = await staged.rows(viewer)
    assert.deepEqual([row!.outcome, row!.cells], ['refused', [{ column: 'row', hidden: true }]])
  })

  it('tells who may not give a column so, and not that something is wrong with the cell', async () => {
    const clerk = await school.person()
    await grant(school, clerk, [['students.view', 'students.create', 'students.import'], [5]])
    const staged = await stage(school, clerk, {
      header: [...header, 'date_of_birth'],
      rows: [['h-2', 'Hidden', '5', '2014-03-09']],
    })
    assert.deepEqual(await staged.plan(), { rows: 1, refused: 1 })
    const [row] = await staged.rows(clerk)
    const detail = 'needs the permission students.sensitive for the class'
    const params = { permission: 'students.sensitive' }
    assert.deepEqual(row!.cells, [{ column: 'date_of_birth', code: 'permission_denied', detail, params }])
  })

  const doubts: Record<string, [given: object, header: string[], row: string[], code: string | undefined]> = {
    'a number but for zeros': [
      { admission_number: '0042', name: 'Z One' },
      header,
      ['42', 'Other', '1'],
      'similar_number',
    ],
    'a number but for hyphens': [
      { admission_number: '77-001', name: 'Z Two' },
      header,
      ['77001', 'Other', '1'],
      'similar_number',
    ],
    'the same name and date of birth': [
      { name: 'Zoë Same', date_of_birth: '2012-01-01' },
      [...header, 'date_of_birth'],
      ['d-1', 'zoe same', '4', '2012-01-01'],
      'same_name_and_date',
    ],
    'a name with one letter changed and the same date of birth': [
      { name: 'Maier Anna', date_of_birth: '2012-01-02' },
      [...header, 'date_of_birth'],
      ['d-2', 'Meier Anna', '4', '2012-01-02'],
      'similar_name_and_date',
    ],
    'the same name and class without a date': [
      { name: 'Lea Plain', class_id: 7 },
      header,
      ['d-3', 'LEA PLAIN', '7'],
      'same_name_and_class',
    ],
    'the same name and class with a date in the file alone': [
      { name: 'Lea Dated', class_id: 7 },
      [...header, 'date_of_birth'],
      ['d-5', 'Lea Dated', '7', '2012-01-03'],
      'same_name_and_class',
    ],
    'the same name and class with a date in the record alone': [
      { name: 'Leo Dated', class_id: 7, date_of_birth: '2012-01-03' },
      header,
      ['d-6', 'Leo Dated', '7'],
      'same_name_and_class',
    ],
    'nobody: the same name and class, another date and a number of its own': [
      { name: 'Kim Other', class_id: 7, date_of_birth: '2012-01-04' },
      [...header, 'date_of_birth'],
      ['d-7', 'Kim Other', '7', '2012-01-05'],
      undefined,
    ],
    'nobody: the same name in another class': [
      { name: 'Kim Else', class_id: 7 },
      header,
      ['d-4', 'Kim Else', '8'],
      undefined,
    ],
  }
  for (const [what, [given, columns, row, code]] of Object.entries(doubts)) {
    it(`finds ${what}`, async () => {
      const id = await school.student(registrar, given)
      const staged = await stage(school, registrar, { header: columns, rows: [row] })
      await staged.plan()
      const [planned] = await staged.rows(registrar)
      assert.equal(planned!.outcome, code === undefined ? 'create' : 'doubtful')
      const told = planned!.cells.filter((cell) => cell.code !== undefined)
      assert.deepEqual(
        told.map(({ code, ids }) => [code, ids]),
        code === undefined ? [] : [[code, [id]]],
      )
    })
  }

  it('has no doubts by dates that the account may not see, and none about whom it may not see', async () => {
    const clerk = await school.person()
    const held = ['students.view', 'students.create', 'students.update', 'students.import'] as const
    await grant(school, clerk, [held, [9]])
    await school.student(registrar, { admission_number: '0815', name: 'Far Away', class_id: 10 })
    const staged = await stage(school, clerk, { header, rows: [['815', 'Far Away', '9']] })
    assert.deepEqual(await staged.plan(), { rows: 1, create: 1 })
  })

  it('takes a decision on a doubtful row', async () => {
    const id = await school.student(registrar, { admission_number: '0900', name: 'Deci Ded', class_id: 3 })
    const file: StagedFile = { header, rows: [['900', 'Deci Dead', '3']] }
    const same = await stage(school, registrar, file)
    assert.deepEqual(await same.plan(), { rows: 1, doubtful: 1 })
    await same.decide(2, 'same', id)
    assert.deepEqual(await same.plan(), { rows: 1, change: 1 })
    const [row] = await same.rows(registrar)
    assert.deepEqual(row!.cells, [{ column: 'name', from: 'Deci Ded', to: 'Deci Dead' }])

    const other = await stage(school, registrar, file)
    await other.plan()
    await other.decide(2, 'new')
    assert.deepEqual(await other.plan(), { rows: 1, create: 1 })
    const left = await stage(school, registrar, file)
    await left.plan()
    await left.decide(2, 'leave_out')
    assert.deepEqual(await left.plan(), { rows: 1, left_out: 1 })
  })

  it('doubts a number that stands twice, until one row is left out', async () => {
    const staged = await stage(school, registrar, {
      header,
      rows: [
        ['t-1', 'Twice One', '3'],
        ['T-1', 'Twice Two', '3'],
      ],
    })
    assert.deepEqual(await staged.plan(), { rows: 2, doubtful: 2 })
    await staged.decide(3, 'leave_out')
    assert.deepEqual(await staged.plan(), { rows: 2, create: 1, left_out: 1 })
  })

  it('doubts rows with one name and date of birth, until each is another child or one is left out', async () => {
    const columns = [...header, 'date_of_birth']
    const rows = [
      ['w-1', 'Twin Zoë', '3', '2013-05-06'],
      ['w-2', 'twin zoe', '4', '2013-05-06'],
      ['w-3', 'Twin Zoë', '3', '2013-05-07'],
      ['w-4', 'Twin Zoë', '3', ''],
    ]
    const staged = await stage(school, registrar, { header: columns, rows })
    assert.deepEqual(await staged.plan(), { rows: 4, create: 2, doubtful: 2 })
    const told = (await staged.rows(registrar, { outcome: 'doubtful' })).map(({ cells }) => cells.at(-1))
    assert.deepEqual(
      told,
      [3, 2].map((row) => ({
        ...{ column: 'date_of_birth', code: 'name_and_date_twice' },
        detail: `and the name are those of row ${row} too`,
        params: { row },
      })),
    )
    await staged.decide(2, 'new')
    assert.deepEqual(await staged.plan(), { rows: 4, create: 3, doubtful: 1 })
    await staged.decide(3, 'leave_out')
    assert.deepEqual(await staged.plan(), { rows: 4, create: 3, left_out: 1 })
    const update = await stage(school, registrar, { header: columns, rows, mode: 'update' })
    assert.deepEqual(await update.plan(), { rows: 4, refused: 4 })
  })

  it('refuses two rows of one student, and all with one identifier until one alone is not left out', async () => {
    await school.student(registrar, { admission_number: 'r-1', name: 'Re Peat' })
    const staged = await stage(school, registrar, {
      header: [...header, 'identifiers.UPN'],
      rows: [
        ['r-1', 'Re Peat', '', ''],
        ['R-1', 'Re Pete', '', ''],
        ['r-2', 'Re Two', '1', 'u1'],
        ['r-3', 'Re Three', '1', 'U1'],
        ['r-4', 'Re Four', '1', 'u1'],
      ],
    })
    assert.deepEqual(await staged.plan(), { rows: 5, refused: 5 })
    const told = (await staged.rows(registrar)).slice(2).map(({ cells }) => cells.at(-1))
    assert.deepEqual(
      told,
      [5, 4, 4].map((row) => ({
        ...{ column: 'identifiers.UPN', code: 'duplicate' },
        detail: 'is an identifier of another row of the file too',
        params: { row },
      })),
    )
    for (const place of [4, 6]) await staged.decide(place, 'leave_out')
    assert.deepEqual(await staged.plan(), { rows: 5, create: 1, left_out: 2, refused: 2 })
  })

  it('gives nobody an identifier of a row that is refused for something else', async () => {
    const staged = await stage(school, registrar, {
      header: [...header, 'identifiers.upn'],
      rows: [
        ['i-1', 'Id One', '', 'v1'],
        ['i-2', 'Id Two', '1', 'v1'],
        ['i-3', 'Id Three', '1', 'v2'],
        ['i-4', 'Id Four', '', 'v2'],
      ],
    })
    assert.deepEqual(await staged.plan(), { rows: 4, refused: 4 })
    const told = (await staged.rows(registrar)).map(({ cells }) =>
      cells.flatMap(({ code, params }) => (code ? [[code, params?.row]] : [])),
    )
    assert.deepEqual(told, [
      [['required', undefined]],
      [['duplicate', 2]],
      [['duplicate', 5]],
      [
        ['required', undefined],
        ['duplicate', 4],
      ],
    ])
  })

  it('follows its mode, and lists who is missing', async () => {
    const there = await school.student(registrar, { admission_number: 'm-1', name: 'Mo De', class_id: 11 })
    const missing = await school.student(registrar, {
      admission_number: 'm-2',
      name: 'Mi Ssing',
      class_id: 11,
    })
    const rows = [
      ['m-1', 'Mo De', '11'],
      ['m-9', 'Ne W', '11'],
    ]
    const planned = async (mode: StagedFile['mode']) => {
      const staged = await stage(school, registrar, { header, rows, ...(mode && { mode }) })
      return [await staged.plan(), await staged.rows(registrar, { outcome: 'missing' })] as const
    }
    assert.deepEqual((await planned('create'))[0], { rows: 2, create: 1, refused: 1 })
    assert.deepEqual((await planned('update'))[0], { rows: 2, unchanged: 1, refused: 1 })
    const [counts, who] = await planned('mirror')
    assert.deepEqual(counts, { rows: 2, create: 1, unchanged: 1, missing: 1 })
    assert.deepEqual(
      who.map(({ id }) => id),
      [missing],
    )
    assert.notEqual(there, missing)
    const mirrored = await stage(school, registrar, { header, rows, mode: 'mirror' })
    await mirrored.plan()
    assert.equal(await mirrored.apply(registrar), 'applied')
    assert.deepEqual(
      (await mirrored.rows(registrar, { outcome: 'missing' })).map(({ id }) => id),
      [missing],
      'whom it made is not missing',
    )
    const [, made] = await mirrored.rows(registrar)
    assert.equal((await school.get(`/api/students/${made!.id}`, registrar)).body.data.name, 'Ne W')
  })

  it('gives numbers from a start, and passes over those that are taken', async () => {
    await school.student(registrar, { admission_number: 'g-0002', name: 'Gi Ven' })
    const staged = await stage(school, registrar, {
      header: ['name', 'class_id'],
      settings: { admission_number: 'g-*0001' },
      rows: [
        ['Gi One', '1'],
        ['Gi Two', '1'],
      ],
    })
    assert.deepEqual(await staged.plan(), { rows: 2, create: 2 })
    const rows = await staged.rows(registrar)
    const numbers = rows.map(({ cells }) => cells.find(({ column }) => column === 'admission_number')!.to)
    assert.deepEqual(numbers, ['g-0001', 'g-0003'])
  })

  it('leaves guardians and identifiers that a row does not give', async () => {
    const id = await school.student(registrar, {
      ...{ admission_number: 'k-1', name: 'Ke Ep' },
      guardians: [
        { name: 'Jo', phone: '1' },
        { name: 'Al', phone: '2' },
      ],
      identifiers: [
        { system: 'UPN', value: 'a' },
        { system: 'old', value: 'b' },
      ],
    } as object)
    const staged = await stage(school, registrar, {
      header: [
        'admission_number',
        'guardian_2_phone',
        'guardian_3_name',
        'identifiers.upn',
        'guardian_1_name',
      ],
      rows: [['k-1', '3', 'Mo', 'c', 'Jo']],
    })
    assert.deepEqual(await staged.plan(), { rows: 1, change: 1 })
    const [row] = await staged.rows(registrar)
    assert.deepEqual(row!.cells, [
      { column: 'identifiers.upn', from: 'a', to: 'c' },
      { column: 'guardian_2_phone', from: '2', to: '3' },
      { column: 'guardian_3_name', from: null, to: 'Mo' },
    ])
    await staged.apply(registrar)
    const { body } = await school.get(`/api/students/${id}`, registrar)
    assert.deepEqual(
      body.data.guardians.map((one: { name: string; phone: string }) => [one.name, one.phone]),
      [
        ['Jo', '1'],
        ['Al', '3'],
        ['Mo', null],
      ],
    )
    assert.deepEqual(body.data.identifiers, [
      { system: 'UPN', value: 'c' },
      { system: 'old', value: 'b' },
    ])
  })
})
