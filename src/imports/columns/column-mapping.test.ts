// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { knownHeadings } from '../../../test/known-headings.ts'
import { ownField, requiredOf, rulesOf, surveyOf } from '../../../test/reading-rules.ts'
import type { ReadingRules } from '../reading-rules.ts'
import { mapColumns } from './column-mapping.ts'
import { columnsOf } from './columns.ts'
import { chooseDelimiter, findHeader } from './header.ts'
import { headingsOf } from './headings.ts'
import { Meanings } from './meanings.ts'

const columns = columnsOf('students', [])

/** What the columns of a header mean; ?: it is asked, - : left out. */
function meaningsOf(header: string, more: Partial<ReadingRules> = {}): string {
  const { mapped } = mapColumns(rulesOf(header.split(' | '), more))
  return mapped.map(({ column }) => (column === undefined ? '?' : (column ?? '-'))).join(' | ')
}

describe('the columns of a file', () => {
  it('that are not known are proposed to be what is near, but for abbreviations', () => {
    const meanings = new Meanings(columns)
    const proposed = (heading: string) => meanings.guesses(heading)[0]
    assert.equal(proposed('Klase'), 'class')
    assert.equal(proposed('Apellido materno'), 'family_name')
    assert.equal(proposed('E-Mail Eltern'), 'guardian_1_email')
    assert.equal(proposed('Téléphone des parents'), 'guardian_1_phone')
    for (const heading of ['NIE', 'UPI', 'Nam']) assert.equal(proposed(heading), undefined)
  })

  it('are known by the headings of offices and school software in five languages', () => {
    const files = [
      [
        'Adm No | Surname | Forename | DOB | Form | UPN',
        'admission_number | family_name | given_name | date_of_birth | class | identifiers.UPN',
      ],
      ['Adm. No. | Full Name | Sex | Class', 'admission_number | name | gender | class'],
      [
        'Nachname | Vorname | Rufname | Geburtsdatum | Klasse',
        'family_name | given_name | preferred_name | date_of_birth | class',
      ],
      [
        'Familienname | Vorname(n) | geb. am | Schüler-Nr.',
        'family_name | given_name | date_of_birth | admission_number',
      ],
      [
        'Nom | Prénom | Né(e) le | Classe | N° INE',
        'family_name | given_name | date_of_birth | class | identifiers.INE',
      ],
      [
        'Apellidos | Nombre | Fecha de nacimiento | Grupo | N.º de matrícula',
        'family_name | given_name | date_of_birth | class | admission_number',
      ],
      ['الاسم | تاريخ الميلاد | الصف | رقم القيد', 'name | date_of_birth | class | admission_number'],
      ['Kind | Geb.dat. | Geschl. | Kl.', 'name | date_of_birth | gender | class'],
      ['Nombre(s) | F. Nac. | Grupo', 'given_name | date_of_birth | class'],
      ['dateOfBirth | FIRST_NAME | Last-Name | E-Mail', 'date_of_birth | given_name | family_name | email'],
      ['Date of birth (dd/mm/yyyy) | Geburtsdatum [TT.MM.JJJJ]', '? | ?'],
      ['Date of birth (dd/mm/yyyy) | House | house', 'date_of_birth | ? | ?'],
    ]
    for (const [header, expected] of files) assert.equal(meaningsOf(header!), expected, header)
  })

  it('of guardians are known by their number, or by mother and father in their order', () => {
    const files = [
      [
        "Mother's name | Mother's phone | Father's name | Father e-mail",
        'guardian_1_name | guardian_1_phone | guardian_2_name | guardian_2_email',
      ],
      ['Father | Mother | Telefon der Mutter', 'guardian_1_name | guardian_2_name | guardian_2_phone'],
      [
        'Erziehungsberechtigte 1 Telefon | Erziehungsberechtigter 2 Name',
        'guardian_1_phone | guardian_2_name',
      ],
      [
        'Parent 1 Relationship | Guardian 2 Mobile Number | Parent/Carer 3 Email',
        'guardian_1_relation | guardian_2_phone | guardian_3_email',
      ],
      ['Responsable légal 1 nom | Téléphone de la mère', 'guardian_1_name | guardian_2_phone'],
      ['Responsable légal 1 | Tél. portable resp. 1', 'guardian_1_name | guardian_1_phone'],
      ['Mél resp. 2 | Rép. légal 1 tél. fixe', 'guardian_2_email | guardian_1_phone'],
      ['Teléfono del padre | Nombre de la madre', 'guardian_1_phone | guardian_2_name'],
      ['هاتف ولي الأمر | اسم الأم', 'guardian_1_phone | guardian_2_name'],
      ['Guardian 1 Name | guardian_10_note | guardian_11_note', 'guardian_1_name | guardian_10_note | ?'],
      ['Mother or father phone | Tutor | Phone', '? | ? | ?'],
    ]
    for (const [header, expected] of files) assert.equal(meaningsOf(header!), expected, header)
  })

  it('of one parent stay together where one of them was answered', () => {
    const settings = {
      ...{ 'column.Handy Vater': 'guardian_1_phone', 'column.Telefon Vater': 'leave_out' },
      ...{ 'column.Telefon Mutter': 'guardian_2_phone', 'column.Handy Mutter': 'leave_out' },
    }
    const ofFather = 'Vater | Telefon Vater | Handy Vater | E-Mail Vater'
    assert.equal(
      meaningsOf(`${ofFather} | Mutter | Telefon Mutter | Handy Mutter | E-Mail Mutter`, { settings }),
      'guardian_1_name | - | guardian_1_phone | guardian_1_email | guardian_2_name | guardian_2_phone | - | guardian_2_email',
    )
    assert.equal(
      meaningsOf(`E-Mail Mutter | ${ofFather}`, { settings }),
      'guardian_2_email | guardian_1_name | - | guardian_1_phone | guardian_1_email',
    )
    const other = { 'column.Telefon Mutter': 'guardian_1_phone', 'column.Handy Mutter': 'guardian_2_phone' }
    assert.equal(
      meaningsOf('Mutter | Telefon Mutter | Handy Mutter | Vater', { settings: other }),
      'guardian_1_name | guardian_1_phone | guardian_2_phone | guardian_3_name',
    )
  })

  it('that may mean two things are asked: a name beside a part of it, ids and what looks like a number', () => {
    const files = [
      ['Name | Vorname', '? | given_name'],
      ['Name | Vorname | Nachname', 'name | given_name | family_name'],
      ['Name | Class', 'name | class'],
      ['name | given_name', 'name | given_name'],
      ['Nom | Classe', '? | class'],
      ['Nombre | Clase', '? | class'],
      ['الاسم | اللقب', '? | family_name'],
      ['id | class_id', 'id | class_id'],
      ['ID | Class ID', '? | ?'],
      ['Nr. | Year | Roll No', '? | ? | ?'],
      ['Klasse | Note | Bemerkung', 'class | ? | notes'],
    ]
    for (const [header, expected] of files) assert.equal(meaningsOf(header!), expected, header)
  })

  it('of which one is likely the family name make the other the given name, in the proposal', () => {
    const candidatesOf = (...header: string[]) =>
      mapColumns(rulesOf(header)).mapped.map((one) => one.candidates[0])
    assert.deepEqual(candidatesOf('Primer apellido', 'Segundo apellido', 'Nombre'), [
      ...['family_name', 'family_name', 'given_name'],
    ])
    assert.deepEqual(candidatesOf('Nombre', 'Clase'), ['name', undefined])
    assert.equal(
      meaningsOf('Nom élève | Prénom élève | Date naiss.'),
      'family_name | given_name | date_of_birth',
    )
  })

  it('that say what a student is called by are asked beside a family name alone: it would be the whole name', () => {
    const files = [
      ['Familienname | Rufname | Klasse', 'family_name | ? | class'],
      ['Surname | Known as | Form', 'family_name | ? | class'],
      ['Nachname | Vorname | Rufname', 'family_name | given_name | preferred_name'],
      ['Surname | Known as | Full name', 'family_name | preferred_name | name'],
      ['admission_number | family_name | preferred_name', 'admission_number | family_name | preferred_name'],
      ['Rufname | Klasse', 'preferred_name | class'],
    ]
    for (const [header, expected] of files) assert.equal(meaningsOf(header!), expected, header)
    const { mapped } = mapColumns(rulesOf(['Surname', 'Known as']))
    assert.deepEqual(mapped[1]!.candidates, ['given_name', 'preferred_name'])
    const settings = { 'column.Known as': 'preferred_name' }
    assert.equal(meaningsOf('Surname | Known as', { settings }), 'family_name | preferred_name')
  })

  it('that mean the same are asked, but for one that is called just so or was answered', () => {
    const files: [string, string, ReadingRules['settings']?][] = [
      ['Class | Klasse', '? | ?'],
      ['class | Klasse', 'class | ?'],
      ['name | name', '? | ?'],
      ['Class | Klasse', 'class | -', { 'column.Class': 'class', 'column.Klasse': 'leave_out' }],
      ['Class | Klasse', 'class | ?', { 'column.Class': 'class' }],
      ['Class | Form', '? | ?', { 'column.Class': 'class', 'column.Form': 'class' }],
      ['Class | Year', 'class | class', { 'column.Year': 'class' }],
      ['identifiers.State | identifiers.STATE', '? | ?'],
      ['Name | Name', 'name | notes', { 'column.Name (2)': 'notes' }],
    ]
    for (const [header, expected, settings = {}] of files)
      assert.equal(meaningsOf(header, { settings }), expected, header)
  })

  it('of the school are known by key and by label, unless they are archived', () => {
    const fields = [
      ownField('free_meals', 'yes_no', { label: 'Free meals' }),
      ownField('bus', 'text', { archived: true }),
    ]
    assert.equal(meaningsOf('fields.free_meals | Bus', { fields }), 'fields.free_meals | ?')
    assert.equal(meaningsOf('FREE MEALS | fields.bus', { fields }), 'fields.free_meals | ?')
  })

  it('become fields of the school’s own by an answer, each with a key of its own', () => {
    const settings = { 'column.Bus': 'new_field', 'column.bus!': 'new_field', 'column.House': 'new_field' }
    const rules = rulesOf(['Bus', 'bus!', 'House'], { settings })
    const { mapped, newFields } = mapColumns(rules)
    assert.deepEqual(
      mapped.map(({ column }) => column),
      ['fields.bus', 'fields.bus_2', 'fields.house'],
    )
    assert.deepEqual(
      newFields.map(({ key, label }) => [key, label]),
      [
        ['bus', 'Bus'],
        ['bus_2', 'bus!'],
      ],
    )
    const made = { ...rules, fields: [...rules.fields, ownField('bus', 'text')] }
    assert.deepEqual(
      mapColumns(made).mapped.map(({ column }) => column),
      ['fields.bus', 'fields.bus_2', 'fields.house'],
    )
    assert.deepEqual(
      mapColumns(made).newFields.map(({ key }) => key),
      ['bus_2'],
    )
    assert.equal(meaningsOf('Bus', { settings, mayCreateFields: false }), '?')
  })

  it('are asked about with what is likely first, and every column that is left', () => {
    const survey = surveyOf(rulesOf(['Surnmae', 'Phone', 'House name', 'class', '']), [
      ['Müller', '030 1', 'Oak', 'Year 8', 'x'],
      ['', '', '', '', 'y'],
    ])
    const questions = requiredOf(survey)
    assert.deepEqual(Object.keys(questions), [
      'column.Surnmae',
      'column.Phone',
      'column.House name',
      'column.(column E)',
    ])
    assert.deepEqual(questions['column.Surnmae']!.slice(0, 3), ['family_name', 'leave_out', 'new_field'])
    assert.deepEqual(questions['column.Phone']!.slice(0, 2), ['guardian_1_phone', 'leave_out'])
    assert.deepEqual(questions['column.House name']!.slice(0, 3), ['leave_out', 'new_field', 'fields.house'])
    for (const answer of ['name', 'identifiers.Phone', 'guardian_1_name'])
      assert.ok(questions['column.Phone']!.includes(answer))
    assert.ok(questions['column.Phone']!.includes('class'), 'the other half of it')
    const texts = [...survey.questions()].map(({ text }) => text)
    assert.equal(texts[3], 'The column E has no heading, and 2 rows have a value in it. What does it hold?')
    assert.deepEqual([...survey.questions()][0]!.choices[0]!.samples, ['Müller'])
  })

  it('without a value need no answer', () => {
    const survey = surveyOf(rulesOf(['name', 'Locker', '']), [['Zoë', '', ' ']])
    assert.ok(!Object.keys(requiredOf(survey)).some((key) => key.startsWith('column.')))
    assert.deepEqual(
      survey.warnings().map(({ code }) => code),
      ['empty_column'],
    )
    assert.equal(survey.decided()['column.Locker'], 'leave_out')
  })

  it('are named once each in questions', () => {
    assert.deepEqual(headingsOf(['Name', ' Name', '', 'Name (2)', 'A\nB', '']), [
      'Name',
      'Name (2)',
      '(column C)',
      'Name (2) (2)',
      'A B',
      '(column F)',
    ])
  })
})

describe('the words for columns', () => {
  it('mean one column each', () => {
    for (const kind of ['students', 'classes'] as const) {
      const meanings = new Meanings(columnsOf(kind, []))
      for (const { column, headings } of knownHeadings(kind))
        for (const heading of headings) {
          const meaning = meanings.of(heading)
          assert.equal(meaning && 'column' in meaning && meaning.column, column, heading)
        }
    }
  })
})

describe('the header', () => {
  const rows = (...lines: string[]) => lines.map((line) => ({ cells: line.split(';') }))

  it('is the first of ten rows in which the most cells are known', () => {
    assert.deepEqual(
      findHeader(
        rows('Class list 2026;', '', 'Name;Class;DOB', 'Zoë;Year 8;2014-03-09', 'Name;Class;DOB'),
        columns,
      ),
      { at: 2, known: 3, all: 3 },
    )
    assert.equal(findHeader(rows('Zoë;Müller', 'Ada;Byron'), columns), undefined)
    assert.equal(findHeader(rows(...Array(10).fill('x'), 'Name;Class'), columns), undefined)
  })

  it('tells the delimiter, unless two do as well', () => {
    const under = (text: string) =>
      new Map(
        [',', ';', '\t', '|'].map((delimiter) => [
          delimiter,
          text.split('\n').map((line) => ({ cells: line.split(delimiter) })),
        ]),
      )
    const choose = (text: string) => chooseDelimiter(under(text), columns)
    assert.equal(choose('name;admission_number;class\n"Doe, John";1;2'), ';')
    assert.equal(choose('name,class\nZoë,8'), ',')
    assert.equal(choose('Nachname\tVorname\nMüller\tZoë'), '\t')
    assert.equal(choose('name\nZoë'), ',')
    assert.equal(choose('name,x;class'), undefined)
    assert.equal(choose('imię;nazwisko\nZoë;M'), ';')
  })
})
