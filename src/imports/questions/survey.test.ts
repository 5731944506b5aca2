// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readRows, requiredOf, rulesOf, surveyOf } from '../../../test/reading-rules.ts'
import { placeOf } from '../../events/import-note.ts'
import { codePointsOf } from '../../students/doubles/distance.ts'
import { distanceWithin } from '../columns/distance.ts'
import type { ReadingRules } from '../reading-rules.ts'
import { Survey } from './survey.ts'

const textOf = (survey: Survey, key: string) => survey.questions().find((one) => one.key === key)?.text

describe('a file without a column that students must have', () => {
  const names = ['Surname', 'First name']
  const rows = [['Müller', 'Zoë']]

  it('asks for the order of names, the class and the numbers, each with what is likely first', () => {
    const survey = surveyOf(rulesOf(names, { nameOrder: 'family_first' }), rows)
    assert.deepEqual(requiredOf(survey), {
      name_order: ['family_first', 'given_first'],
      class_id: [1, 2, 3, 'none'],
      admission_number: ['2026-*0043'],
    })
    const [order] = survey.questions().filter(({ key }) => key === 'name_order')
    assert.deepEqual(
      order!.choices.map(({ samples, about }) => [samples, about]),
      [
        [['Müller Zoë'], 'name'],
        [['Zoë Müller'], 'name'],
      ],
    )
    const settings = { name_order: 'given_first', class_id: 3, admission_number: '2026-*0100' }
    assert.deepEqual(requiredOf(surveyOf(rulesOf(names, { settings }), rows)), {})
    const [row] = readRows(rulesOf(names), rows, settings)
    assert.deepEqual(row!.values, { family_name: 'Müller', given_name: 'Zoë', class_id: 3 })
  })

  it('proposes to leave students in their classes where the rows may be of some who are there', () => {
    const proposed = (header: string[], more: Partial<ReadingRules> = {}) =>
      requiredOf(surveyOf(rulesOf(header, more), [['A-1', 'Nuts']])).class_id
    const numbered = ['admission_number', 'notes']
    assert.deepEqual(proposed(numbered), ['none', 1, 2, 3])
    assert.deepEqual(proposed(numbered, { mode: 'mirror' }), [1, 2, 3, 'none'])
    assert.deepEqual(proposed(numbered, { mode: 'create' }), [1, 2, 3, 'none'])
    assert.deepEqual(proposed(numbered, { seesStudents: false }), [1, 2, 3, 'none'])
    assert.deepEqual(proposed(['name', 'notes']), [1, 2, 3, 'none'])
  })

  it('counts on behind the numbers that the file has', () => {
    const header = ['name', 'class', 'admission_number']
    const proposed = (nextNumber: string, ...numbers: string[]) => {
      const rows = ['', ...numbers].map((number, i) => [`Kid ${i}`, '7a', number])
      const asked = surveyOf(rulesOf(header, { nextNumber }), rows).questions()
      return asked.find(({ key }) => key === 'admission_number')!.choices[0]!.answer
    }
    assert.equal(proposed('0001', '00007', '00620', 'x'), '*00621')
    assert.equal(proposed('0001'), '*0001')
    assert.equal(proposed('2026-0043', '2026-0050', '2025-0099'), '2026-*0051')
    assert.equal(proposed('2026-0043', '2026-0042'), '2026-*0043')
    assert.equal(proposed('P', 'P'), 'P*0001')
    assert.equal(proposed('0001', '9'.repeat(15)), '*0001')
  })

  it('asks again where an answer is none', () => {
    const settings = { name_order: 'x', class_id: 4, admission_number: '2026', match: 'name' }
    assert.deepEqual(Object.keys(requiredOf(surveyOf(rulesOf(names, { settings }), rows))), [
      'name_order',
      'class_id',
      'admission_number',
    ])
  })

  it('joins a name of a new student in another order than the school’s, where that was answered', () => {
    const rules = rulesOf([...names, 'class', 'admission_number'])
    const all = [
      ['Müller', 'Zoë', 'Year 8', 'A-1'],
      ['Müller', '', 'Year 8', 'A-2'],
    ]
    const implied = (name_order: string) => readRows(rules, all, { name_order }).map((row) => row.implied)
    assert.deepEqual(implied('family_first'), [{ name: 'Müller Zoë' }, undefined])
    assert.deepEqual(implied('given_first'), [undefined, undefined])
  })

  it('asks for none of that where it creates nobody, and is refused where nothing tells who is meant', () => {
    const update = surveyOf(rulesOf([...names, 'admission_number'], { mode: 'update' }), [
      ['Müller', 'Zoë', 'A-1'],
    ])
    assert.deepEqual([requiredOf(update), update.refusal()], [{}, undefined])
    const nobody = surveyOf(rulesOf(names, { mode: 'update' }), rows)
    assert.equal(nobody.refusal()?.code, 'no_match_column')
    const unknown = surveyOf(rulesOf([...names, 'Nr.'], { mode: 'update' }), [['Müller', 'Zoë', '1']])
    assert.equal(unknown.refusal(), undefined, 'the unknown column may be it')
  })

  it('asks whether numbers are given to rows that have none, though there is a column', () => {
    const header = ['name', 'class', 'admission_number']
    const keys = (number: string) =>
      surveyOf(rulesOf(header), [['Zoë', 'Year 8', number]])
        .questions()
        .map(({ key, required }) => [key, required])
        .toArray()
    assert.deepEqual(keys(''), [
      ['admission_number', false],
      ['clear', false],
    ])
    assert.deepEqual(keys('A-1'), [['clear', false]])
  })

  it('asks by which identifier rows are matched, and must where there is no number', () => {
    const questions = (header: string[]) =>
      surveyOf(rulesOf(header), [header.map(() => 'Year 8')]).questions()
    const match = (header: string[]) => questions(header).find(({ key }) => key === 'match')
    const choices = ['admission_number', 'identifiers.UPN']
    const both = match(['name', 'class', 'admission_number', 'UPN'])
    assert.deepEqual([both!.required, both!.choices.map(({ answer }) => answer)], [false, choices])
    assert.equal(match(['name', 'class', 'UPN'])!.required, true)
  })
})

describe('a file that tells of guardians without their names', () => {
  const plain = ['name', 'admission_number', 'class']
  const row = ['Zoë Müller', 'A-1', 'Year 8']
  const asked = (header: string[], cells: string[], more: Partial<ReadingRules> = {}) =>
    surveyOf(rulesOf([...plain, ...header], more), [[...row, ...cells]])
      .questions()
      .find(({ key }) => key === 'guardian_name')
  const mother = (more: Partial<ReadingRules>) => asked(['Telefon Mutter'], ['030 1'], more)

  it('asks once what new ones are called, by the relation where the headings say it', () => {
    const question = asked(['Telefon Mutter', "Father's email", 'Guardian 3 phone'], ['030 1', '', '030 3'])
    assert.equal(
      question!.text,
      'In one row a guardian has no name ("Telefon Mutter", "Guardian 3 phone"). What is a new guardian called? One who is there keeps the name.',
    )
    assert.deepEqual([question!.required, question!.rows], [true, 1])
    assert.deepEqual(
      question!.choices.map(({ answer, samples, about }) => [answer, samples, about]),
      [
        ['relation', ['Mutter'], 'guardian_1_name'],
        ['leave_out', undefined, undefined],
      ],
    )
    const byCells = asked(['guardian_1_relation', 'guardian_1_phone'], ['aunt', '030 1'])
    assert.deepEqual(byCells!.choices[0]!.answer, 'relation')
    const untold = asked(['Guardian phone'], ['030 1'])
    assert.deepEqual(
      untold!.choices.map(({ answer }) => answer),
      ['Guardian', 'leave_out'],
    )
  })

  it('asks nothing where the name is there, no value, an answer, or where nobody is created', () => {
    assert.equal(asked(['Mutter', 'Telefon Mutter'], ['Eva', '030 1']), undefined)
    assert.equal(asked(['Mutter', 'Telefon Mutter'], ['', '']), undefined)
    assert.equal(asked(['Mutter', 'Telefon Mutter'], ['', '030 1'])?.rows, 1)
    assert.equal(asked(['Telefon Mutter'], ['']), undefined)
    assert.equal(mother({ mode: 'update' }), undefined)
    for (const guardian_name of ['relation', 'Elternteil', 'leave_out'])
      assert.equal(mother({ settings: { guardian_name } }), undefined)
    for (const mode of ['create', 'mirror'] as const) assert.ok(mother({ mode }))
    assert.ok(mother({ settings: { guardian_name: ' ' } }))
  })

  it('names them as it was answered, or says that nobody is made', () => {
    const header = [...plain, 'Telefon Mutter', 'Guardian 2 phone', 'guardian_3_relation', 'guardian_3_phone']
    const cells = [...row, '030 1', '030 2', 'aunt', '030 3']
    const read = (guardian_name: string, more: Partial<ReadingRules> = {}) =>
      readRows(rulesOf(header, more), [cells], { guardian_name })[0]!
    const told = { guardian_1_relation: 'Mutter' }
    assert.deepEqual(read('relation').implied, {
      ...told,
      ...{ guardian_1_name: 'Mutter', guardian_2_name: 'Guardian', guardian_3_name: 'Aunt' },
    })
    assert.deepEqual(read(' Elternteil').implied, {
      ...told,
      ...{ guardian_1_name: 'Elternteil', guardian_2_name: 'Elternteil', guardian_3_name: 'Elternteil' },
    })
    assert.deepEqual(read('leave_out').implied, {
      ...told,
      ...{ guardian_1_name: null, guardian_2_name: null, guardian_3_name: null },
    })
    assert.deepEqual(read('relation', { mode: 'update' }).implied, told)
    assert.deepEqual(read('leave_out', { mode: 'update' }).implied, told)
  })
})

describe('a column of numbers that is not known', () => {
  const proposed = (...numbers: string[]) => {
    const rules = rulesOf(['Nr.', 'name', 'class'])
    const rows = numbers.map((number, i) => [number, `Kid ${i}`, 'Year 8'])
    return requiredOf(surveyOf(rules, rows))['column.Nr.']![0]
  }

  it('is proposed to be left out where it counts the rows, on each page or for each class anew', () => {
    assert.equal(proposed('1', '2', '3'), 'leave_out')
    assert.equal(proposed('1.', '2.', '3.', '', '1.', '2.'), 'leave_out')
    assert.equal(proposed('001', '002', '003'), 'leave_out')
    assert.equal(proposed('1', '2', 'Total: 2'), 'leave_out')
  })

  it('is proposed to be the admission number otherwise', () => {
    for (const numbers of [
      ['1'],
      ['1', '3', '4'],
      ['2', '3'],
      ['1', '1'],
      ['1', '2', 'A-3', 'B-4'],
      ['4711', '4712'],
    ])
      assert.equal(proposed(...numbers), 'admission_number', numbers.join())
  })
})

describe('classes in a file', () => {
  const rules = rulesOf(['name', 'admission_number', 'class'])
  const row = (label: string, i = 0) => [`Zoë ${i}`, `A-${i}`, label]

  it('are known by their labels as they look, archived ones too', () => {
    const rows = ['Year 7 A', 'year 7 a', ' YEAR 8 ', 'Year 13', ''].map(row)
    assert.deepEqual(requiredOf(surveyOf(rules, rows)), {})
    const ids = readRows(rules, rows).map(({ values }) => values.class_id)
    assert.deepEqual(ids, [1, 1, 3, 4, undefined])
  })

  it('that are not there are asked once each, to be one that is near, created or left out', () => {
    const rows = ['Year 7 C', 'year 7 c', 'Yaer 8', 'Year 7 A'].map(row)
    const survey = surveyOf(rules, rows)
    assert.deepEqual(requiredOf(survey), {
      'class.Year 7 C': ['create', 1, 2, 3, 'leave_out'],
      'class.Yaer 8': [3, 'create', 'leave_out'],
    })
    assert.equal(
      textOf(survey, 'class.Year 7 C'),
      'No class that you see is called "Year 7 C". 2 rows name it. Which class is meant? The id of any class is an answer too.',
    )
    const noCreation = requiredOf(surveyOf({ ...rules, mayCreateClasses: false }, rows))
    assert.deepEqual(noCreation, {
      'class.Year 7 C': ['leave_out', 1, 2, 3],
      'class.Yaer 8': [3, 'leave_out'],
    })
    const settings = { 'class.Year 7 C': 'create', 'class.Yaer 8': '3' }
    assert.deepEqual(requiredOf(surveyOf({ ...rules, settings }, rows)), {})
    assert.deepEqual(
      readRows(rules, rows, settings).map(({ values }) => values.class_id),
      ['Year 7 C', 'Year 7 C', 3, 1],
    )
  })

  it('are proposed first only where the label means them but for how it is written', () => {
    const proposed = (label: string, ...labels: string[]) => {
      const classes = labels.map((one, i) => ({ id: i + 1, label: one, archived: false, usable: true }))
      const [question] = surveyOf({ ...rules, classes }, [row(label)]).questions()
      const { text, answer } = question!.choices[0]!
      return typeof answer === 'number' ? text : answer
    }
    const school = [...Array.from({ length: 12 }, (_, i) => `Class ${i + 1}`), '5a', '6a', '6b']
    for (const [label, first] of [
      ['5', 'Class 5'],
      ['Clas 05', 'Class 5'],
      ['Cl. 11', 'Class 11'],
      ['٥', 'Class 5'],
      ['Klasse 5 A', '5a'],
      ['5-a', '5a'],
      ['10b', 'create'],
      ['5b', 'create'],
      ['9a', 'create'],
      ['Class 13', 'create'],
      ['Sonne', 'create'],
      ['-', 'leave_out'],
    ] as const)
      assert.equal(proposed(label, ...school), first, label)
    assert.equal(proposed('Group C', 'Group A', 'Group B'), 'create')
    assert.equal(proposed('VIII b', 'VII b'), 'create')
    assert.equal(proposed('Hasen', 'Bären', 'Hosen'), 'Hosen')
    assert.equal(proposed('5', 'Class 5', 'Year 5'), 'create', 'it may be either')
  })

  it('are left out with their rows, where that was answered', () => {
    const [left, kept] = readRows(rules, [row('Year 9'), row('Year 8')], { 'class.Year 9': 'leave_out' })
    assert.deepEqual([left!.leftOut?.to, left!.leftOut?.code], ['Year 9', 'left_out'])
    assert.equal(kept!.leftOut, undefined)
  })

  it('that are too many to be asked about are another column’s, or refused where that was answered', () => {
    const rows = Array.from({ length: 300 }, (_, i) => row(`Street ${i}`, i))
    assert.deepEqual(Object.keys(requiredOf(surveyOf(rules, rows))), ['column.class'])
    const settings = { 'column.class': 'class' }
    assert.deepEqual(requiredOf(surveyOf({ ...rules, settings }, rows)), {})
    assert.equal(readRows(rules, rows, settings)[0]!.faults[0]!.code, 'unknown_class')
  })

  it('that look alike are asked, unless a label is just so', () => {
    const classes = ['8', '８', '9'].map((label, i) => ({
      ...{ id: i + 1, label, archived: false, usable: true },
    }))
    assert.deepEqual(requiredOf(surveyOf({ ...rules, classes }, [row('８')])), {})
    assert.deepEqual(requiredOf(surveyOf({ ...rules, classes }, [row(' 𝟖')])), {
      'class.𝟖': [1, 2, 'leave_out'],
    })
  })

  it('are told by ids, beside labels that may tell another class', () => {
    const both = rulesOf(['name', 'class_id', 'class'])
    const rows = [
      ['Zoë', '3', 'year 8'],
      ['Zoë', '3', 'Year 7 A'],
      ['Zoë', '99', ''],
      ['Zoë', 'Year 8', ''],
      ['Zoë', '', 'Year 8'],
    ]
    assert.ok(!Object.keys(requiredOf(surveyOf(both, rows))).some((key) => key.startsWith('class')))
    const read = readRows(both, rows)
    assert.deepEqual(
      read.map(({ values }) => values.class_id),
      [3, 1, undefined, undefined, 3],
    )
    assert.deepEqual(
      read.map(({ faults }) => faults[0]?.code),
      [undefined, undefined, 'unknown_class', 'wrong_type', undefined],
    )
    assert.deepEqual([read[1]!.otherClass?.id, read[1]!.otherClass?.fault.code], [3, 'other_class'])
  })

  it('that are not there are asked about where no id tells the same, though the file has a column for it', () => {
    const rules = rulesOf(['name', 'admission_number', 'class_id', 'class'])
    const rows = [
      ['Zoë', 'A-1', '', '7 Blue'],
      ['Ada', 'A-2', '1', 'Year 7 A'],
      ['Bo', 'A-3', '1', ''],
    ]
    assert.deepEqual(Object.keys(requiredOf(surveyOf(rules, rows))), ['class.7 Blue'])
    assert.equal(readRows(rules, rows, { 'class.7 Blue': 2 })[0]!.values.class_id, 2)
  })

  it('are the names of the sheets, where that was answered', () => {
    const sheets = ['Year 8', 'Year 9', 'Notes'].map((name, i) => ({
      ...{ name, hidden: false, header_row: i === 2 ? null : 1 },
      ...{ rows: 1, blank_rows: 0, hidden_rows: 0 },
    }))
    const named: ReadingRules = {
      ...rulesOf(['name', 'admission_number'], { sheets, settings: { class_id: 'sheet' } }),
    }
    const survey = new Survey(named)
    for (const sheet of sheets.keys()) survey.add({ place: placeOf(sheet, 2), cells: ['Zoë', `A-${sheet}`] })
    assert.deepEqual(requiredOf(survey), { 'class.Year 9': ['create', 3, 1, 2, 'leave_out'] })
    assert.deepEqual(
      survey.warnings().map(({ code }) => code),
      ['sheet_left_out'],
    )
    assert.equal(survey.rows, 2)
  })
})

describe('a file', () => {
  it('whose column of the class is blank in most rows is told of, as merged cells are read', () => {
    const told = (header: string[], ...labels: string[]) => {
      const rows = labels.map((label, i) => [label, `Kid ${i}`, `A-${i}`])
      const survey = surveyOf(rulesOf(header), rows)
      return survey.warnings().map(({ code, params }) => [code, params])
    }
    const header = ['Klasse', 'name', 'admission_number']
    const merged = ['Year 8', '', '', 'Year 7 A', '', '']
    assert.deepEqual(told(header, ...merged), [['classes_blank', { heading: 'Klasse', rows: 4 }]])
    assert.deepEqual(told(header, 'Year 8', ''), [])
    assert.deepEqual(told(header, 'Year 8', 'Year 8', 'Year 8', '', ''), [])
    assert.deepEqual(told(header, '', '', ''), [])
    assert.deepEqual(told(['gender', ...header.slice(1)], ...merged), [])
  })

  it('without rows is refused; blank ones are none', () => {
    const survey = surveyOf(rulesOf(['name']), [['  ', ''], []])
    assert.equal(survey.refusal()?.code, 'no_rows')
    assert.equal(survey.warnings()[0]!.detail, '2 rows are blank, and left out.')
  })

  it('says what of it is hidden, above the header, or held as numbers', () => {
    const sheets = [{ name: 'All', hidden: true, header_row: 3, rows: 5, blank_rows: 1, hidden_rows: 2 }]
    const rules = rulesOf(['name', 'Adm No', 'created_at'], { sheets, numeric: [0, 1] })
    const warnings = surveyOf(rules, [['Zoë', '42', '']]).warnings()
    const details = warnings.map(({ detail }) => detail)
    assert.deepEqual(details, [
      'The sheet "All" has its header in row 3; what stands above is left out.',
      'The sheet "All" is hidden, and its 5 rows are imported.',
      'In the sheet "All", 2 rows are hidden, and imported.',
      'One row is blank, and left out.',
      'The spreadsheet holds numbers in the column "Adm No", which should be texts: zeros at the beginning may be lost.',
      'The column "created_at" is not imported: the server itself notes when the record was made.',
    ])
    const params = warnings.map(({ params }) => params)
    assert.deepEqual(params, [
      { sheet: 'All', row: 3 },
      { sheet: 'All', rows: 5 },
      { sheet: 'All', rows: 2 },
      { rows: 1 },
      { heading: 'Adm No' },
      { heading: 'created_at', column: 'created_at' },
    ])
  })

  it('says that the reasons of refused rows are needed no more', () => {
    const [warning] = surveyOf(rulesOf(['problem', 'name']), [['class is required', 'Zoë']]).warnings()
    assert.equal(
      warning!.detail,
      'The first column, "problem", is not imported: files of refused rows have their reasons there. If it is your own, give it another heading.',
    )
  })

  it('of a spreadsheet with values beside the table asks about them; of CSV, such rows are refused', () => {
    const rows = [
      ['Zoë', 'A-1', 'note'],
      ['Ada', 'A-2'],
    ]
    const header = ['name', 'admission_number']
    const xlsx = rulesOf([...header, ''])
    assert.ok('column.(column C)' in requiredOf(surveyOf(xlsx, rows)))
    const settings = { 'column.(column C)': 'notes' }
    assert.equal(readRows(xlsx, rows, settings)[0]!.values.notes, 'note')
    const csv = rulesOf(header)
    assert.ok(!('column.(column C)' in requiredOf(surveyOf(csv, rows))))
    assert.deepEqual(
      readRows(csv, rows).map(({ faults }) => faults.map(({ column, code }) => [column, code])),
      [[['row', 'beyond_header']], []],
    )
  })
})

describe('the distance of labels', () => {
  /** By the book. */
  function distance(a: string, b: string): number {
    const rows = Array.from({ length: a.length + 1 }, (_, i) =>
      Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
    )
    for (let i = 1; i <= a.length; i++)
      for (let j = 1; j <= b.length; j++) {
        const cost = a[i - 1] === b[j - 1] ? 0 : 1
        const options = [rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + cost]
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
          options.push(rows[i - 2]![j - 2]! + 1)
        rows[i]![j] = Math.min(...options)
      }
    return rows[a.length]![b.length]!
  }

  it('is Damerau and Levenshtein’s, as far as it is asked for', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '7'), maxLength: 7 })
    fc.assert(
      fc.property(text, text, fc.nat(4), (one, other, most) => {
        const exact = distance(one, other)
        assert.equal(
          distanceWithin(most, codePointsOf(one), codePointsOf(other)),
          exact > most ? undefined : exact,
        )
      }),
    )
  })
})
