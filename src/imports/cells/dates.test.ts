// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { factsOf, readRows, requiredOf, surveyOf } from '../../../test/import-facts.ts'
import { dateOrders, ordersOf, readDate } from './dates.ts'

const read = (cell: string, order?: (typeof dateOrders)[number]) => {
  const day = readDate(cell, order)
  return typeof day === 'string' ? day : day.detail
}

describe('a date in a cell', () => {
  it('is read in the ways of five languages, whatever the time zone is', () => {
    const written = [
      '2014-03-09',
      '2014/3/9',
      '2014.03.09',
      '2014-03-09 00:00:00',
      '9. März 2014',
      '9 mars 2014',
      '9 de marzo de 2014',
      'March 9, 2014',
      'Sun, 9 Mar 2014',
      '9-Mar-2014',
      '9 مارس 2014',
      '9 آذار 2014',
      '٢٠١٤-٠٣-٠٩',
    ]
    const zone = process.env.TZ
    for (const TZ of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      process.env.TZ = TZ
      for (const cell of written) assert.equal(read(cell), '2014-03-09', cell)
      assert.equal(read('09.03.2014', 'day_first'), '2014-03-09')
      assert.equal(read('09/03/2014', 'month_first'), '2014-09-03')
    }
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
    assert.equal(read('1er mars 2014'), '2014-03-01')
  })

  it('is refused where it is no day, or nobody knows which', () => {
    const noDay = 'must be a day of the calendar from 1900-01-01 on, as YYYY-MM-DD, without a time'
    for (const cell of [
      '2014-02-30',
      '31.02.2014',
      '13/14/2014',
      '41707',
      'soon',
      '2014-03-09T00:00:00Z',
      '2014-03-09 14:00',
      '1899-12-31',
      '9/3 2014',
    ])
      assert.equal(read(cell, 'day_first'), noDay, cell)
    for (const cell of ['9.3.14', "9.3.'14", '09/03/14', '9 Mar 14'])
      assert.equal(read(cell, 'day_first'), 'must have a year of four digits', cell)
    assert.equal(
      read('25.03.2014', 'month_first'),
      'does not fit the other dates of the column, which have the month first',
    )
    assert.equal(read('03.04.2014'), 'must be a date as YYYY-MM-DD')
    assert.equal(read('04.04.2014'), '2014-04-04')
  })

  it('of every day is read back in its column’s order', () => {
    const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(
        day,
        fc.constantFrom(...dateOrders),
        fc.constantFrom('.', '/', '-', ' '),
        fc.boolean(),
        (date, order, separator, isShort) => {
          const iso = date.toISOString().slice(0, 10)
          const [year, month, day] = iso.split('-').map((part) => (isShort ? String(Number(part)) : part))
          const parts = order === 'day_first' ? [day, month, year] : [month, day, year]
          const cell = parts.join(separator)
          assert.equal(read(cell, order), iso)
          const orders = ordersOf(cell)
          assert.ok(orders === undefined ? day === month : orders === 'both' || orders === order)
        },
      ),
    )
  })
})

describe('the order of day and month', () => {
  const facts = factsOf(['admission_number', 'Class', 'Geburtsdatum'])
  const rowsOf = (...dates: string[]) => dates.map((date, i) => [`A-${i}`, 'Year 8', date])

  it('is told by one date for the whole column', () => {
    const rows = rowsOf('03.04.2014', '25.04.2014', '2014-05-06', '')
    assert.deepEqual(requiredOf(surveyOf(facts, rows)), {})
    const days = readRows(facts, rows).map(({ values }) => values.date_of_birth)
    assert.deepEqual(days, ['2014-04-03', '2014-04-25', '2014-05-06', undefined])
    assert.equal(readRows(facts, rowsOf('04/25/2014', '03/04/2014'))[1]!.values.date_of_birth, '2014-03-04')
  })

  it('is asked where every date fits both, with the days that they would be', () => {
    const rows = rowsOf('03.04.2014', '5.5.2014')
    const [question] = surveyOf(facts, rows).questions()
    assert.equal(question!.key, 'date_order.Geburtsdatum')
    assert.deepEqual(
      question!.choices.map(({ answer, samples, about }) => [answer, samples, about]),
      [
        ['day_first', ['03.04.2014: 3 April 2014'], 'date_of_birth'],
        ['month_first', ['03.04.2014: 4 March 2014'], 'date_of_birth'],
      ],
    )
    const answer = { 'date_order.Geburtsdatum': 'month_first' }
    assert.deepEqual(requiredOf(surveyOf({ ...facts, settings: answer }, rows)), {})
    assert.equal(readRows(facts, rows, answer)[0]!.values.date_of_birth, '2014-03-04')
  })

  it('is asked where some dates fit one alone and some the other; then those that do not fit are refused', () => {
    const rows = rowsOf('25.04.2014', '04.25.2014', '03.04.2014')
    assert.deepEqual(requiredOf(surveyOf(facts, rows)), {
      'date_order.Geburtsdatum': ['day_first', 'month_first'],
    })
    const [first, second, third] = readRows(facts, rows, { 'date_order.Geburtsdatum': 'day_first' })
    assert.deepEqual([first!.faults, third!.values.date_of_birth], [[], '2014-04-03'])
    assert.deepEqual(second!.faults, [
      {
        column: 'date_of_birth',
        to: '04.25.2014',
        code: 'invalid_format',
        detail: 'does not fit the other dates of the column, which have the day first',
      },
    ])
  })

  it('is asked where few dates tell it: one of them may be a slip', () => {
    const clear = ['01.02.2014', '02.03.2014', '03.04.2014', '04.05.2014', '05.06.2014', '06.07.2014']
    const asked = (...dates: string[]) => {
      const questions = surveyOf(facts, rowsOf(...dates)).questions()
      return questions.find(({ key }) => key.startsWith('date_order.'))
    }
    const slip = asked(...clear, '03.13.2014')
    assert.equal(
      slip!.text,
      'Some dates in the column "Geburtsdatum" can only have the month first, and may be slips. Which order holds? Rows that do not fit it are refused.',
    )
    assert.deepEqual(
      slip!.choices.map(({ answer, samples }) => [answer, samples!.slice(0, 2), samples!.length]),
      [
        ['day_first', ['03.13.2014: refused', '01.02.2014: 1 February 2014'], 5],
        ['month_first', ['03.13.2014: 13 March 2014', '01.02.2014: 2 January 2014'], 5],
      ],
    )
    assert.equal(asked(...clear, '25.03.2014')!.choices[0]!.answer, 'day_first')
    const slashes = clear.map((date) => date.replaceAll('.', '/'))
    assert.equal(asked(...slashes, '03/13/2014')!.choices[0]!.answer, 'month_first')
    assert.equal(asked(...slashes.slice(0, 3), '03/13/2014'), undefined, 'one in four tells it')
    const answer = { 'date_order.Geburtsdatum': 'day_first' }
    const rows = readRows(facts, rowsOf(...clear, '03.13.2014'), answer)
    assert.deepEqual(
      [rows[0]!.values.date_of_birth, rows[6]!.faults[0]!.detail],
      ['2014-02-01', 'does not fit the other dates of the column, which have the day first'],
    )
  })

  it('is asked where dates with dots have the month first, as nobody writes them', () => {
    for (const dates of [
      ['03.25.2014'],
      ['03.25.2014', '04.26.2014', '03.04.2014'],
      ['03/25/2014', '3.4.2014'],
    ])
      assert.deepEqual(requiredOf(surveyOf(facts, rowsOf(...dates))), {
        'date_order.Geburtsdatum': ['month_first', 'day_first'],
      })
    assert.deepEqual(requiredOf(surveyOf(facts, rowsOf('25.03.2014'))), {})
  })

  it('that was answered for another file does not count where this one tells it', () => {
    const answer = { 'date_order.Geburtsdatum': 'month_first' }
    const [row] = readRows(facts, rowsOf('03.04.2014', '25.04.2014'), answer)
    assert.deepEqual([row!.values.date_of_birth, row!.faults], ['2014-04-03', []])
  })

  it('does not matter to dates that are written otherwise', () => {
    assert.deepEqual(
      requiredOf(surveyOf(facts, rowsOf('2014-03-04', '4. März 2014', '4.4.2014', 'soon'))),
      {},
    )
  })
})
