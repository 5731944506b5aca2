// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ownField, readRows, rulesOf } from '../../../test/reading-rules.ts'
import type { Guardian } from '../../students/record.ts'
import { guardianOf } from '../columns/guardian-columns.ts'
import { classRowReader } from './class-rows.ts'
import { type GuardianInRow, type MeantGuardian, meantGuardians } from './guardian-places.ts'

const fields = [
  ownField('house', 'one_of', { options: ['Oak', 'Elm'] }),
  ownField('clubs', 'several_of', { options: ['Chess', 'Art, music', 'Ping;pong', 'Judo'] }),
  ownField('bus', 'yes_no'),
  ownField('height', 'number'),
  ownField('joined', 'date'),
  ownField('remark', 'text_in_lines'),
]

/** What a cell of a column gives: its value, or what is wrong with it. */
function readCell(column: string, cell: string, settings = {}): unknown {
  const [row] = readRows(rulesOf([column], { fields }), [[cell]], settings)
  return row!.faults.length > 0 ? row!.faults.map(({ code }) => code).join() : row!.values[column]
}

function assertCells(column: string, cells: readonly (readonly [cell: string, read: unknown])[]): void {
  for (const [cell, read] of cells) assert.deepEqual(readCell(column, cell), read, `${column}: ${cell}`)
}

describe('a cell', () => {
  it('of a text is read as the API would store it, with its leading zeros', () => {
    assertCells('admission_number', [
      ['0042', '0042'],
      [' 0042 ', '0042'],
      ['x'.repeat(51), 'too_long'],
      ['a\u200Bb', 'invalid_format'],
    ])
    assertCells('name', [
      ['Zoë', 'Zoë'],
      ['Zoe\u0308', 'Zoë'],
      ['null', 'null'],
      ['a\u0000', 'invalid_format'],
    ])
    assertCells('email', [
      ['Zoe@School.Example', 'zoe@school.example'],
      ['zoe', 'invalid_format'],
    ])
    assertCells('address', [['Lindenweg 4\r\nBerlin', 'Lindenweg 4\nBerlin']])
  })

  it('that is blank gives nothing, and clears a value only by the text that was chosen for it', () => {
    assert.deepEqual(readRows(rulesOf(['gender', 'notes']), [['', ' \u00A0']])[0]!.values, {})
    assert.equal(readCell('notes', '-'), '-')
    assert.equal(readCell('notes', ' - ', { clear: '-' }), null)
    assert.equal(readCell('fields.house', '-', { clear: '-' }), null)
    assert.equal(readCell('name', '-', { clear: '-' }), 'required')
  })

  it('of an own field is read by its kind, in the words of five languages', () => {
    assertCells('fields.house', [
      ['Oak', 'Oak'],
      ['oak ', 'Oak'],
      ['Ash', 'not_allowed'],
    ])
    const clubs = [
      ['Chess\nJudo', ['Chess', 'Judo']],
      ['judo; Chess', ['Chess', 'Judo']],
      ['Art, music', ['Art, music']],
      ['Ping;pong', ['Ping;pong']],
      ['Chess,Judo', ['Chess', 'Judo']],
      ['Chess;Go', 'not_allowed'],
      ['Chess\nChess', 'duplicate'],
    ] as const
    assertCells('fields.clubs', clubs)
    for (const yes of ['yes', 'Ja', 'OUI', 'sí', 'Si', 'نعم', 'true', 'WAHR', '1', 'x', '✓'])
      assert.equal(readCell('fields.bus', yes), true, yes)
    for (const no of ['No', 'nein', 'non', 'لا', 'FALSE', '0', '☐'])
      assert.equal(readCell('fields.bus', no), false, no)
    assertCells('fields.bus', [['maybe', 'wrong_type']])
    assertCells('fields.height', [
      ['1.5', 1.5],
      ['1,5', 1.5],
      ['-3', -3],
      ['1e+21', 1e21],
      ['0,125', 0.125],
      ['1,234', 'unsure_number'],
      ['1.234', 'unsure_number'],
      ['-12.345', 'unsure_number'],
      ['1.2340', 1.234],
      ['0.234', 0.234],
      ['1234.567', 1234.567],
      ['1.234,5', 'wrong_type'],
      ['1e999', 'invalid'],
      ['12345678901234567', 'too_long'],
      ['12345678901234568', 12345678901234568],
      ['0,30000000000000004', 0.1 + 0.2],
      ['1.00000000000000000000', 1],
      ['-0,0', -0],
      ['1e-400', 'too_long'],
      ['ten', 'wrong_type'],
    ])
    assertCells('fields.joined', [
      ['2024-09-01', '2024-09-01'],
      ['1. September 2024', '2024-09-01'],
      ['2024', 'invalid_format'],
    ])
    assertCells('fields.remark', [['a\r\nb', 'a\nb']])
  })

  it('of identifiers holds the values of one system, a line each', () => {
    assertCells('identifiers.state', [
      ['A-1', ['A-1']],
      ['A-1\nB-2\n', ['A-1', 'B-2']],
      ['A-1\na‐1', 'duplicate'],
      ['x'.repeat(101), 'too_long'],
    ])
  })

  it('of an id is plain digits', () => {
    const ids = ['7', ' 7', '07', '7.0', 'x'].map((cell) => readRows(rulesOf(['id']), [[cell]])[0]!)
    assert.deepEqual(
      ids.map(({ id, faults }) => id ?? faults[0]!.code),
      [7, 7, 'wrong_type', 'wrong_type', 'wrong_type'],
    )
  })
})

describe('a row', () => {
  it('tells all that is wrong with it, each with its cell', () => {
    const header = ['name', 'date_of_birth', 'email', 'guardian_1_email', 'fields.house']
    const [row] = readRows(rulesOf(header), [['\u0007', '2014-02-30', 'x', 'y', 'Ash']])
    assert.deepEqual(
      row!.faults.map(({ column, code, to }) => [column, code, to]),
      [
        ['name', 'invalid_format', '\u0007'],
        ['date_of_birth', 'invalid_format', '2014-02-30'],
        ['email', 'invalid_format', 'x'],
        ['guardian_1_email', 'invalid_format', 'y'],
        ['fields.house', 'not_allowed', 'Ash'],
      ],
    )
    assert.deepEqual(row!.values, {})
  })

  it('tells what guardians are where the headings say it, of those it names', () => {
    const header = ["Mother's name", 'Telefon des Vaters', 'Guardian 3', 'admission_number']
    const [both, one] = readRows(rulesOf(header), [
      ['Anna', '030 1', 'Jo', 'A-1'],
      ['', '030 1', '', 'A-2'],
    ])
    assert.deepEqual(both!.values, {
      guardian_1_name: 'Anna',
      guardian_2_phone: '030 1',
      guardian_3_name: 'Jo',
      admission_number: 'A-1',
    })
    assert.deepEqual(both!.implied, { guardian_1_relation: 'mother', guardian_2_relation: 'Vater' })
    assert.deepEqual(one!.implied, { guardian_2_relation: 'Vater' })
    const [told] = readRows(rulesOf(['Mother', 'Relation of mother']), [['Anna', 'aunt']])
    assert.equal(told!.implied, undefined)
  })

  it('has nothing left out that is not settled', () => {
    const rules = rulesOf(['name', 'Bus'], { settings: { 'column.Bus': 'fields.gone' } })
    assert.deepEqual(readRows(rules, [['Zoë', '7']])[0]!.faults, [
      {
        column: 'row',
        to: '7',
        code: 'undecided_column',
        detail: 'is in the column "Bus", of which nothing is said',
      },
    ])
  })

  it('gives a field that is to be made its text', () => {
    const settings = { 'column.Bus': 'new_field' }
    assert.deepEqual(readRows(rulesOf(['name', 'Bus']), [['Zoë', '007']], settings)[0]!.values, {
      name: 'Zoë',
      'fields.bus': '007',
    })
  })
})

describe('a row of classes', () => {
  it('tells a label, by the rules of the API', () => {
    const { read } = classRowReader(
      rulesOf(['Klasse', 'Room'], { kind: 'classes', settings: { 'column.Room': 'leave_out' } }),
    )
    assert.deepEqual(read(2, [' Year 9', '12']), { values: { label: 'Year 9' }, faults: [] })
    assert.deepEqual(read(2, ['', '12']), { values: {}, faults: [] })
    const [fault] = read(2, ['x'.repeat(101)]).faults
    assert.deepEqual([fault!.code, fault!.params], ['too_long', { limit: 100 }])
  })
})

describe('the guardian whom a row means', () => {
  const nothing = { relation: null, phone: null, email: null, address: null, note: null }
  const jorg = { ...nothing, name: 'Jörg', relation: 'father' }
  const anna = { ...nothing, name: 'Anna', relation: 'Mutter', phone: '2' }
  const [jo, other] = [
    { ...nothing, name: 'Jo', phone: '3' },
    { ...nothing, name: 'Jo', phone: '4' },
  ]

  const eva = { ...nothing, name: 'Eva Süd', phone: '5', email: 'e@x.de' }
  const tom = { ...nothing, name: 'Tom Süd', phone: '5' }
  const child = { order: 'given_first', surname: 'Klein' } as const

  it('is one of that name, else of that relation, else the one at that place, else a new one', () => {
    const cases: [Guardian[], Record<number, GuardianInRow['parts']>, MeantGuardian[]][] = [
      [[jorg, anna], { 1: { name: 'ANNA' }, 2: { name: 'Jörg' } }, [1, 0]],
      [[jorg, anna], { 1: { phone: '1', relation: 'mother' } }, [1]],
      [[jorg], { 1: { phone: '1', relation: 'mother' } }, ['new']],
      [[jorg, anna], { 1: { phone: '1' }, 2: { name: 'Eva' } }, [0, 'new']],
      [[jorg, anna], { 1: { phone: '1' }, 2: { name: 'Anna-Eva' } }, [0, 1]],
      [[jorg, anna], { 2: { name: 'Eva', phone: '2' } }, [1]],
      [[{ ...jo, phone: null }], { 1: { name: 'Eva' } }, [0]],
      [[jorg, anna], { 1: { name: 'Eva', relation: 'mother' } }, ['new']],
      [[jo], { 1: { name: 'Eva', relation: 'mother' } }, ['new']],
      [[jo], { 2: { name: 'Jo', phone: '1' } }, [0]],
      [[], { 2: { name: 'Jo' }, 3: { name: 'Eva' } }, ['new', 'new']],
      [[jo, jo], { 1: { name: 'Jo' }, 2: { name: 'Jo' } }, [0, 1]],
      [[jorg, jo, other], { 1: { name: 'Jo', phone: '4' } }, [2]],
      [[jorg, jo, other], { 1: { name: 'Jo', phone: '5' } }, ['unsure']],
      [[jorg, anna], { 3: { phone: '2' } }, [1]],
      [[jorg, anna], { 1: { name: null }, 2: { name: 'Jörg' } }, ['unsure', 0]],
      [[jorg], { 2: { name: null } }, ['nobody']],
      [[eva, tom], { 1: { name: 'Tom Süd' } }, [1]],
      [[eva, tom], { 1: { name: 'Jan Süd' } }, ['new']],
      [[eva, tom], { 1: { name: 'Jan Süd', email: 'e@x.de' } }, [0]],
      [[eva, tom], { 1: { name: 'Jan Süd', phone: '5' } }, ['new']],
      [[eva, tom], { 1: { name: 'Jan West', phone: '5' } }, [0]],
      [[eva, tom], { 1: { name: 'Süd' } }, ['unsure']],
      [[eva, tom], { 1: { name: 'Eva Süd' }, 2: { name: 'Herr Süd' } }, [0, 1]],
    ]
    for (const [guardians, given, meant] of cases) {
      const parts = Object.entries(given).map(([number, parts]) => [Number(number), { parts }] as const)
      assert.deepEqual(
        [...meantGuardians(guardians, new Map(parts as [number, GuardianInRow][]), child).entries()]
          .sort(([one], [two]) => one - two)
          .map(([, place]) => place),
        meant,
        JSON.stringify(given),
      )
    }
  })

  it('has a number from 1 to 10', () => {
    assert.deepEqual(guardianOf('guardian_10_note'), { number: 10, part: 'note' })
    for (const name of ['guardian_0_name', 'guardian_11_name', 'guardian_1_shoe'])
      assert.equal(guardianOf(name), undefined)
  })
})
