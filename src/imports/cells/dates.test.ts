// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ownField, readRows, requiredOf, rulesOf, surveyOf } from '../../../test/reading-rules.ts'
import type { Settings } from '../model.ts'
import { dateOrders, ordersOf, readDate, shortYearIn } from './dates.ts'

const read = (cell: string, order?: (typeof dateOrders)[number], firstYear?: number) => {
  const day = readDate(cell, { order, firstYear })
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
      '20140309',
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
      '09032014',
      '2014',
      'soon',
      '2014-03-09T00:00:00Z',
      '2014-03-09 14:00',
      '1899-12-31',
      '9/3 2014',
    ])
      assert.equal(read(cell, 'day_first'), noDay, cell)
    for (const cell of ['9.3.14', "9.3.'14", '09/03/14', '9 Mar 14', '17.9.1', '17-09-01', '9 soon 14'])
      assert.equal(read(cell, 'day_first'), 'must have a year of four digits', cell)
    assert.equal(
      read('25.03.2014', 'month_first'),
      'does not fit the other dates of the column, which have the month first',
    )
    assert.equal(read('03.04.2014'), 'must be a date as YYYY-MM-DD')
    assert.equal(read('04.04.2014'), '2014-04-04')
  })

  it('is refused with what to do where a spreadsheet left the number by which it counts days', () => {
    for (const cell of ['41707', ' 25569 ', '41707.0'])
      assert.equal(
        read(cell, 'day_first'),
        'is a number, as a spreadsheet counts days: format its column as dates there',
        cell,
      )
  })

  it('has a year of two digits among a hundred, once these are known', () => {
    const in1927 = ['1.9.17', '01.09.17', '1/9/17', "1.9.'17", '1. Sep. 17', '1-Sep-17', '1 September 17']
    for (const cell of [...in1927, '1.9.17 00:00', '١.٩.١٧', 'Sep 1, 17', 'Fri, 1 Sep 17'])
      assert.equal(read(cell, 'day_first', 1927), '2017-09-01', cell)
    assert.equal(read('1/9/17', 'month_first', 1927), '2017-01-09')
    assert.equal(read('1.9.26', 'day_first', 1927), '2026-09-01')
    assert.equal(read('1.9.27', 'day_first', 1927), '1927-09-01')
    assert.equal(read('1.9.98', 'day_first', 2000), '2098-09-01')
    assert.equal(read('29.2.00', 'day_first', 1927), '2000-02-29')
    const noDay = 'must be a day of the calendar from 1900-01-01 on, as YYYY-MM-DD, without a time'
    for (const cell of ['31.2.19', '98.9.14', '30. Feb. 19'])
      assert.equal(read(cell, 'day_first', 1927), noDay)
  })

  it('whose first number may be the year is not read, whatever the hundred years are', () => {
    for (const cell of ['17.9.1', '17/9/1', '17-09-01', '17-9-12', '1-9-17'])
      assert.equal(read(cell, 'day_first', 1927), 'must have a year of four digits', cell)
  })

  const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  const isoOf = (date: Date) => date.toISOString().slice(0, 10)

  it('of every day of a hundred years is read back from a year of two digits', () => {
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
    fc.assert(
      fc.property(
        day,
        fc.integer({ min: 0, max: 99 }),
        fc.constantFrom(...dateOrders),
        (date, ago, order) => {
          const iso = isoOf(date)
          const firstYear = Math.min(Math.max(date.getUTCFullYear() - ago, 1900), 2000)
          const [year = '', month = '', day = ''] = iso.split('-')
          const short = year.slice(2)
          const [first, second] = order === 'day_first' ? [day, month] : [month, day]
          for (const cell of [`${first}.${second}.${short}`, `${Number(first)}/${Number(second)}/${short}`]) {
            assert.equal(read(cell, order, firstYear), iso, cell)
            assert.equal(shortYearIn(cell), short)
            assert.equal(ordersOf(cell), ordersOf(cell.replace(/\d\d$/, year)))
          }
          assert.equal(
            read(`${Number(day)}-${months[Number(month) - 1]}-${short}`, undefined, firstYear),
            iso,
          )
        },
      ),
    )
  })

  it('of every day is read back in its column’s order', () => {
    fc.assert(
      fc.property(
        day,
        fc.constantFrom(...dateOrders),
        fc.constantFrom('.', '/', '-', ' '),
        fc.boolean(),
        (date, order, separator, isShort) => {
          const iso = isoOf(date)
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
  const rules = rulesOf(['admission_number', 'Class', 'Geburtsdatum'])
  const rowsOf = (...dates: string[]) => dates.map((date, i) => [`A-${i}`, 'Year 8', date])

  it('is told by one date for the whole column', () => {
    const rows = rowsOf('03.04.2014', '25.04.2014', '2014-05-06', '')
    assert.deepEqual(requiredOf(surveyOf(rules, rows)), {})
    const days = readRows(rules, rows).map(({ values }) => values.date_of_birth)
    assert.deepEqual(days, ['2014-04-03', '2014-04-25', '2014-05-06', undefined])
    assert.equal(readRows(rules, rowsOf('04/25/2014', '03/04/2014'))[1]!.values.date_of_birth, '2014-03-04')
  })

  it('is asked where every date fits both, with the days that they would be', () => {
    const rows = rowsOf('03.04.2014', '5.5.2014')
    const [question] = surveyOf(rules, rows).questions()
    assert.equal(question!.key, 'date_order.Geburtsdatum')
    assert.deepEqual(
      question!.choices.map(({ answer, samples, about }) => [answer, samples, about]),
      [
        ['day_first', ['03.04.2014: 3 April 2014'], 'date_of_birth'],
        ['month_first', ['03.04.2014: 4 March 2014'], 'date_of_birth'],
      ],
    )
    const answer = { 'date_order.Geburtsdatum': 'month_first' }
    assert.deepEqual(requiredOf(surveyOf({ ...rules, settings: answer }, rows)), {})
    assert.equal(readRows(rules, rows, answer)[0]!.values.date_of_birth, '2014-03-04')
  })

  it('is asked where some dates fit one alone and some the other; then those that do not fit are refused', () => {
    const rows = rowsOf('25.04.2014', '04.25.2014', '03.04.2014')
    assert.deepEqual(requiredOf(surveyOf(rules, rows)), {
      'date_order.Geburtsdatum': ['day_first', 'month_first'],
    })
    const [first, second, third] = readRows(rules, rows, { 'date_order.Geburtsdatum': 'day_first' })
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
      const questions = surveyOf(rules, rowsOf(...dates)).questions()
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
    const rows = readRows(rules, rowsOf(...clear, '03.13.2014'), answer)
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
      assert.deepEqual(requiredOf(surveyOf(rules, rowsOf(...dates))), {
        'date_order.Geburtsdatum': ['month_first', 'day_first'],
      })
    assert.deepEqual(requiredOf(surveyOf(rules, rowsOf('25.03.2014'))), {})
  })

  it('that was answered for another file does not count where this one tells it', () => {
    const answer = { 'date_order.Geburtsdatum': 'month_first' }
    const [row] = readRows(rules, rowsOf('03.04.2014', '25.04.2014'), answer)
    assert.deepEqual([row!.values.date_of_birth, row!.faults], ['2014-04-03', []])
  })

  it('does not matter to dates that are written otherwise', () => {
    assert.deepEqual(
      requiredOf(surveyOf(rules, rowsOf('2014-03-04', '4. März 2014', '4.4.2014', 'soon'))),
      {},
    )
  })
})

describe('years of two digits', () => {
  const rules = rulesOf(['admission_number', 'Class', 'Geburtsdatum'])
  const rowsOf = (...dates: string[]) => dates.map((date, i) => [`A-${i}`, 'Year 8', date])
  const key = 'short_years.Geburtsdatum'
  const entered = rulesOf(['admission_number', 'Class', 'Entry'], { fields: [ownField('entry', 'date')] })
  const answersOf = (...dates: string[]) =>
    requiredOf(surveyOf(entered, rowsOf(...dates)))['short_years.Entry']

  it('of birth are in the hundred that end with this year, if somebody says so', () => {
    const rows = rowsOf('18.02.19', '1.9.98', '3.4.27', '4.5.26', '2014-05-06')
    const [question, ...others] = surveyOf(rules, rows).questions()
    assert.deepEqual(
      others.filter(({ required }) => required),
      [],
    )
    const { choices, ...asked } = question!
    const text = 'Years in the column "Geburtsdatum" have two digits. Which years are meant?'
    assert.deepEqual(asked, { key, text, required: true })
    assert.deepEqual(choices, [
      {
        ...{ answer: 1927, text: '1927 to 2026', about: 'date_of_birth' },
        samples: [
          ...['18.02.19: 18 February 2019', '1.9.98: 1 September 1998'],
          ...['3.4.27: 3 April 1927', '4.5.26: 4 May 2026'],
        ],
      },
      {
        ...{
          answer: 'refuse',
          text: 'The rows are refused: the file is corrected by hand',
          about: 'date_of_birth',
        },
        samples: ['18.02.19: refused', '1.9.98: refused', '3.4.27: refused', '4.5.26: refused'],
      },
    ])
    const answer = { [key]: 1927 }
    assert.deepEqual(requiredOf(surveyOf({ ...rules, settings: answer }, rows)), {})
    const days = readRows(rules, rows, answer).map(({ values }) => values.date_of_birth)
    assert.deepEqual(days, ['2019-02-18', '1998-09-01', '1927-04-03', '2026-05-04', '2014-05-06'])
    const refused = readRows(rules, rows, { [key]: 'refuse' }).flatMap(({ faults }) => faults)
    assert.equal(refused.length, 4)
    assert.deepEqual(refused[0], {
      ...{ column: 'date_of_birth', to: '18.02.19', code: 'invalid_format' },
      ...{ detail: 'must have a year of four digits', params: { year_digits: 4 } },
    })
  })

  it('are asked about after the order of day and month, which they can tell too', () => {
    const rows = rowsOf('1.9.17', '2.9.17')
    const [order] = surveyOf(rules, rows).questions()
    assert.deepEqual(
      [order!.key, order!.choices.map(({ samples }) => samples![0])],
      ['date_order.Geburtsdatum', ['1.9.17: 1 September 2017', '1.9.17: 9 January 2017']],
    )
    const settings = { 'date_order.Geburtsdatum': 'month_first' }
    const [years] = surveyOf({ ...rules, settings }, rows).questions()
    assert.deepEqual([years!.key, years!.choices[0]!.samples], [key, ['1.9.17: 9 January 2017']])
    const [row] = readRows(rules, rows, { ...settings, [key]: '1927' })
    assert.equal(row!.values.date_of_birth, '2017-01-09')
    assert.deepEqual(Object.keys(requiredOf(surveyOf(rules, rowsOf('18.2.19')))), [key])
    assert.deepEqual(requiredOf(surveyOf(rules, rowsOf('17-09-01', '17.9.1', '31.12.2017'))), {})
  })

  it('are shown with the first and the last of many', () => {
    const dates = Array.from({ length: 60 }, (_, i) => `13.1.${String((i + 40) % 100).padStart(2, '0')}`)
    const [question] = surveyOf(rules, rowsOf(...dates)).questions()
    assert.equal(question!.choices[0]!.samples!.length, 5)
    assert.ok(question!.choices[0]!.samples!.includes('13.1.40: 13 January 1940'))
    assert.ok(question!.choices[0]!.samples!.includes('13.1.99: 13 January 1999'))
  })

  it('of other dates may be ahead, and other answers are there only where they differ', () => {
    assert.deepEqual(answersOf('18.2.19', '18.2.26'), [2000, 'refuse'])
    assert.deepEqual(answersOf('18.2.19', '18.2.27'), [2000, 1927, 'refuse'])
    assert.deepEqual(answersOf('18.2.19', '18.2.98'), [1947, 'refuse'])
    assert.deepEqual(answersOf('18.2.98', '18.2.27'), [1947, 1927, 'refuse'])
  })

  it('that were answered for another file count where they mean the same still', () => {
    const isAsked = (settings: Settings, thisYear: number, ...dates: string[]) =>
      surveyOf({ ...rules, settings, thisYear }, rowsOf(...dates))
        .questions()
        .some((one) => one.key === key)
    const kept = { [key]: 1927 }
    assert.equal(isAsked(kept, 2026, '18.2.27', '18.2.98'), false)
    assert.equal(isAsked(kept, 2027, '18.2.19', '18.2.98'), false)
    assert.equal(isAsked(kept, 2027, '18.2.27'), true)
    assert.equal(isAsked({ [key]: 2000 }, 2026, '18.2.98'), true)
    assert.equal(isAsked({ [key]: 'soon' }, 2026, '18.2.19'), true)
    const settings = { 'short_years.Entry': 2000 }
    const survey = surveyOf({ ...entered, settings }, rowsOf('18.2.98'))
    assert.deepEqual(requiredOf(survey), { 'short_years.Entry': [1947, 'refuse'] })
  })
})
