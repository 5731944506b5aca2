import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Holding, personHolding } from '../../../test/grants.ts'
import { Importer } from '../../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../../test/school.ts'
import { inline, sheetOf, writtenWorkbook } from '../../../test/workbooks.ts'

const born = { class_id: 1, date_of_birth: '2012-06-16' }
const mays = { date_of_birth: '2012-05-09' }

describe('an import whose rows have the number of another child', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('registrar')
    await school.student(registrar, { admission_number: '42', name: 'Ole Lange', ...born })
    await school.student(registrar, { admission_number: '43', name: 'Ida Lange', ...born })
    await school.student(registrar, { admission_number: '44', name: 'Jan Lange', class_id: 1 })
    importer = new Importer(school, registrar)
  })

  const warningsFor = async (...rows: string[]) => {
    const header = 'admission_number,name,date_of_birth,class'
    const { counts, warnings } = await importer.planned(`${[header, ...rows].join('\n')}\n`)
    assert.equal(counts.change, rows.length)
    return warnings
  }

  it('warns that a child would be written over, and where that is first', async () => {
    const [warning, ...others] = await warningsFor(
      '44,Jan Larsen,2012-06-16,Class 1',
      '42,Clara Vogel,2012-05-09,Class 1',
      '43,Ida Vogel,2012-06-17,Class 1',
    )
    assert.deepEqual(others, [])
    assert.deepEqual(warning, {
      code: 'other_children',
      detail:
        "2 rows, the first of them row 3, give their students another name and another date of birth. Look whether the number is another child's: what stands there would be written over.",
      params: { row: 3, rows: 2 },
    })
  })

  it('tells how many of the children of these rows are there with another number', async () => {
    const rows = ['42,Ida LANGE,2012-06-16,Class 1', '43,Clara Vogel,2012-05-09,Class 1']
    const [both] = await warningsFor('42,Clara Vogel,2012-05-09,Class 1', '44,Jan Larsen,,Class 1')
    assert.deepEqual(both.params, { row: 2, rows: 1 }, 'nobody has that name and date of birth')
    const [swapped] = await warningsFor(...rows.map((row) => row.replace('2012-06-16', '2011-01-01')))
    assert.deepEqual(swapped.params, { row: 2, rows: 2 })
    await school.student(registrar, { admission_number: '45', name: 'clara vogel', class_id: 2, ...mays })
    const [one] = await warningsFor(rows[1]!)
    assert.deepEqual(one.params, { row: 2, rows: 1, known: 1 })
    assert.match(one.detail, / That child is there already, with another number\. Look /)
    const [some] = await warningsFor('42,Mia New,2012-01-01,Class 1', rows[1]!)
    assert.deepEqual(some.params, { row: 2, rows: 2, known: 1 })
    assert.match(some.detail, / One of these children is there already, with another number\. Look /)
  })

  it('does not tell it of students whom the account does not see, or not their dates of birth', async () => {
    const all = ['students.import', 'students.view', 'students.create', 'students.update'] as const
    for (const holdings of [
      [[[...all, 'students.sensitive'], [1]]],
      [
        [all, [1, 2]],
        [['students.sensitive'], [1]],
      ],
    ] as Holding[][]) {
      const clerks = new Importer(school, await personHolding(school, ...holdings))
      const header = 'admission_number,name,date_of_birth,class'
      const { warnings } = await clerks.planned(`${header}\n42,Clara Vogel,2012-05-09,Class 1\n`)
      assert.deepEqual(warnings[0].params, { row: 2, rows: 1 })
    }
  })

  it('does not of rows that are not written, since their number stands twice', async () => {
    const rows = ['42,Clara Vogel,2012-05-09,Class 1', '42,Ole Lange,2012-06-16,Class 1']
    const planned = await importer.planned(`admission_number,name,date_of_birth,class\n${rows.join('\n')}\n`)
    assert.equal(planned.counts.change, 0)
    assert.deepEqual(planned.warnings, [])
  })

  it('does not where the name, or the date of birth, is corrected alone', async () => {
    assert.deepEqual(await warningsFor('42,Ole-Marie Lange,,', '43,,2012-06-17,'), [])
  })
})

describe('an import of given and family names for records that have a full name', () => {
  it('warns where they are those of another child, or the full name does not have them', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    await school.student(registrar, { admission_number: '7', name: 'Lia Stein', class_id: 1, ...mays })
    const plain = { class_id: 1, date_of_birth: '2012-06-16' }
    const parts = { given_name: 'Wr', family_name: 'Ong' }
    const [same, other] = ['2012-06-16', '2012-05-09']
    const [kept, both] = [['full_names_kept'], ['full_names_kept', 'other_children']]
    const children: [record: object, row: string, told: string[]][] = [
      [{ name: 'Wr Ong' }, `Lia,Stein,${other}`, both],
      [{ name: 'Wr X. Ong', ...parts }, `Lia,Stein,${other}`, both],
      [{ name: 'Ole Lange' }, `Ida,Lange,${other}`, both],
      [{ name: 'Ida Holm' }, `Ida,Stein,${same}`, kept],
      [{ name: 'Ida Holm' }, `Ida Maria,Holm,${other}`, kept],
      [{ name: 'Müller, ZOË-Marie' }, `Zoe Marie,Muller,${other}`, []],
      [{ name: 'Ida M. Holm' }, `Ida M.,Holm,${other}`, []],
      [{ name: 'Anna Lena de Vries' }, `Anna-Lena,de Vries,${other}`, []],
      [{ name: '王小明' }, `小明,王,${other}`, []],
      [{ name: '王小明' }, `小红,李,${other}`, both],
      [{ name: 'Ida Holm', ...born, given_name: 'Ida' }, `,Holm,${other}`, []],
    ]
    for (const [i, [record, row, told]] of children.entries()) {
      await school.student(registrar, { admission_number: `n-${i}`, ...plain, ...record })
      const header = 'admission_number,given_name,family_name,date_of_birth\n'
      const { counts, warnings } = await importer.planned(`${header}n-${i},${row}\n`, '?mode=update')
      assert.equal(counts.change, 1)
      assert.deepEqual(warnings.map(({ code }: { code: string }) => code).toSorted(), told, row)
      if (i === 0) assert.deepEqual(warnings.at(-1).params, { row: 2, rows: 1, known: 1 })
    }
  })
})

describe('an import whose file lost letters to an encoding', () => {
  let importer: Importer
  before(async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const given = { address: 'Łódź 1', former_names: 'Trần', notes: 'Why?' }
    await school.student(registrar, { admission_number: '1', name: 'Hanna Nguyễn', class_id: 1, ...given })
    importer = new Importer(school, registrar)
  })

  const lostIn = async (header: string, ...rows: string[]) => {
    const read = await importer.read(await importer.send(`${[header, ...rows].join('\n')}\n`))
    const isAsked = read.state === 'question'
    const planned = isAsked
      ? await importer.continued(read, { answers: { name_order: 'given_first' } })
      : read
    assert.equal(planned.state, 'planned')
    return planned.warnings.map(({ code, params }: { code: string; params: object }) => ({ code, ...params }))
  }

  it('warns of each column whose cells are what stands there, but for question marks', async () => {
    const rows = ['1,Hanna Nguy?n,Class 1,?ód? 1,Tr?n']
    assert.deepEqual(await lostIn('admission_number,name,class,address,former_names', ...rows), [
      { code: 'letters_lost', heading: 'name', rows: 1 },
      { code: 'letters_lost', heading: 'address', rows: 1 },
      { code: 'letters_lost', heading: 'former_names', rows: 1 },
    ])
  })

  it('warns of new names, where nothing stands yet', async () => {
    const rows = ['2,Hanna,Nguy?n,Class 1,?mit', '3,Jan,Dvo?ák,Class 1,Eva']
    assert.deepEqual(await lostIn('admission_number,given_name,family_name,class,guardian_1_name', ...rows), [
      { code: 'letters_lost', heading: 'family_name', rows: 2 },
      { code: 'letters_lost', heading: 'guardian_1_name', rows: 1 },
    ])
  })

  it('does not of questions', async () => {
    const rows = ['1,Hanna Nguyễn?,Class 1,Why not?,Lodz 1?', '4,?,Class 1,Who?,Here?']
    assert.deepEqual(await lostIn('admission_number,name,class,notes,address', ...rows), [])
  })
})

describe('an import of a file in which a spreadsheet cut long numbers', () => {
  it('warns of each column with a number that has an exponent, of students who are there and of new ones', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const kept = { notes: '3.5E+10' }
    await school.student(registrar, { admission_number: '1', name: 'Ida Lange', class_id: 1, ...kept })
    const rows = [
      'admission_number,name,class,guardian_1_name,guardian_1_phone,identifiers.state,notes,address',
      '1,Ida Lange,Class 1,Eva,"4,91512E+14",,3.5E+10,Room 1E12',
      '1.23457E+14,Ole New,Class 1,Jan,4.91E+11,9E+15,,E+1 is a road',
      '3,Mia New,Class 1,,,,,1E5',
    ]
    const { counts, warnings } = await new Importer(school, registrar).planned(`${rows.join('\n')}\n`)
    assert.deepEqual([counts.change, counts.create], [1, 2])
    const cut = (heading: string, rows: number) => ({ code: 'digits_lost', heading, rows })
    assert.deepEqual(
      warnings.map(({ code, params }: { code: string; params: object }) => ({ code, ...params })),
      [cut('guardian_1_phone', 2), cut('admission_number', 1), cut('identifiers.state', 1)],
    )
    assert.equal(
      warnings[0].detail,
      'In the column "guardian_1_phone", 2 cells have a number such as 4.91E+14 or 4910000000000000, of which a spreadsheet kept the first digits alone. Write the whole numbers, or leave the column out.',
    )
  })
})

describe('an import of a file with numbers of more digits than a spreadsheet keeps', () => {
  let importer: Importer
  before(async () => {
    const school = await openSchool()
    importer = new Importer(school, await school.person('registrar'))
  })

  const lostIn = async (file: string | Buffer) => {
    const { warnings } = await importer.planned(file)
    return warnings
      .filter(({ code }: { code: string }) => code === 'digits_lost')
      .map(({ params }: { params: object }) => params)
  }
  const header = ['admission_number', 'name', 'class', 'identifiers.state']
  const csv = (...numbers: string[]) =>
    [header, ...numbers.map((one, i) => [`l-${i}`, `Child ${i}`, 'Class 1', one])]
      .map((row) => `${row.join(';')}\n`)
      .join('')

  it('warns where all of them end in zeros, and of none where one does not', async () => {
    assert.deepEqual(await lostIn(csv('4912345678901230', '49123456789012300000', '17')), [
      { heading: 'identifiers.state', rows: 2 },
    ])
    assert.deepEqual(await lostIn(csv('4912345678901230', '4912345678901234')), [])
    assert.deepEqual(await lostIn(csv('491234567890120', '4.91E+20')), [
      { heading: 'identifiers.state', rows: 1 },
    ])
  })

  it('warns of a number in XLSX, which is read in full', async () => {
    const cells = ['l-1', 'Ole', 'Class 1'].map(inline)
    const number = '<c><v>4.91234567890123E19</v></c>'
    const sheet = sheetOf([header.map(inline), [...cells, number]])
    assert.deepEqual(await lostIn(await writtenWorkbook({ sheets: [sheet] })), [
      { heading: 'identifiers.state', rows: 1 },
    ])
  })
})

describe('an import whose rows change a part of a name', () => {
  it('warns that the full name stays as it was, where it holds what is changed', async () => {
    const school = await openSchool()
    const registrar = await school.person('registrar')
    const importer = new Importer(school, registrar)
    /** What each child is called and becomes, whether the full name stands in the file, and whether it is warned of. */
    const children: [before: string[], after: string[], isWarned: boolean][] = [
      [['Zoë', 'Müller'], ['Zoë', 'Schmidt'], true],
      [['Zoe', 'Muller'], ['Zoe', 'Müller'], true],
      [['Uma', 'Schmidt-Meier'], ['Uma', 'Meier'], true],
      [['Kim', 'Lee'], ['Kim', 'Le'], true],
      [['Anna Maria', 'Silva'], ['Anna', 'Silva'], false],
      [['Mia', 'Wolf'], ['Mia', 'Wolf'], false],
      [['Ali', 'Kaya'], ['Ali', '-'], false],
    ]
    for (const [i, [[given_name, family_name]]] of children.entries()) {
      const name = `${given_name} ${family_name}`
      const body = { admission_number: `${i + 1}`, name, given_name, family_name, class_id: 1 }
      assert.equal((await school.post('/api/students', body, registrar)).status, 201)
    }
    const header = 'admission_number,name,given_name,family_name\n'
    for (const [i, [before, after, isWarned]] of children.entries()) {
      const row = [i + 1, before.join(' '), ...after].join()
      const asked = await importer.planned(`${header}${row}\n`, '?mode=update')
      const { warnings } = await importer.continued(asked, { answers: { clear: '-' } })
      const detail =
        'Row 2 changes a given or family name, and the full name stays as it was. Give the new full name in the file too.'
      const warning = { code: 'full_names_kept', detail, params: { row: 2, rows: 1 } }
      assert.deepEqual(warnings, isWarned ? [warning] : [], row)
    }
    const { warnings } = await importer.planned(`${header}1,Zoë Schmidt,Zoë,Schmidt\n`, '?mode=update')
    assert.deepEqual(warnings, [])
    const follows = await importer.planned('admission_number,family_name\n1,Schmidt\n', '?mode=update')
    assert.deepEqual(follows.warnings, [])
    const [row] = await importer.rows(follows.id)
    assert.ok(
      row.cells.some(
        ({ column, to }: { column: string; to: string }) => column === 'name' && to === 'Zoë Schmidt',
      ),
    )
  })
})

describe('an import with dates of birth of whom no school has', () => {
  it('warns of them, where most are not so', async () => {
    const school = await openSchool()
    const importer = new Importer(school, await school.person('registrar'))
    const warningsOf = async (...dates: string[]) => {
      const rows = dates.map((date, i) => `Child ${'ABCDE'[i]},${i + 1},Class 1,${date}\n`)
      const header = 'name,admission_number,class,date_of_birth\n'
      const { warnings } = await importer.planned(`${header}${rows.join('')}`, '?mode=create')
      return warnings
    }
    const yearsAgo = (years: number) => `${school.now().getFullYear() - years}-01-01`
    const [warning, ...others] = await warningsOf(yearsAgo(10), yearsAgo(27), yearsAgo(1), yearsAgo(3))
    assert.deepEqual(others, [])
    assert.deepEqual(warning, {
      code: 'odd_ages',
      detail:
        '2 rows, the first of them row 3, have a date of birth by which the child would be under 2 years old, or over 25. Look whether the year is right.',
      params: { row: 3, rows: 2 },
    })
    assert.deepEqual(await warningsOf(yearsAgo(40), yearsAgo(30), yearsAgo(10)), [])
    assert.deepEqual(await warningsOf(yearsAgo(25), yearsAgo(3)), [])
  })
})
