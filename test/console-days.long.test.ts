// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ageOn, readDay } from '../console/language/days.ts'
import { readCount } from '../console/language/digits.ts'
import { dayBegins } from '../console/language/zones.ts'

describe('a number that is typed into the console', () => {
  const cases: [typed: string, count: number][] = [
    ['1100', 1100],
    ['1,100', 1100],
    [' 1.100 ', 1100],
    ['1 100 000', 1_100_000],
    ['\u2067١٬١٠٠\u2069', 1100],
    ['۱۱۰۰', 1100],
    ['1.1', Number.NaN],
    ['-1100', Number.NaN],
    ['', Number.NaN],
  ]
  for (const [typed, count] of cases)
    it(`${typed || 'nothing'} is ${count}`, () => assert.equal(readCount(typed), count))
})

describe('a date that is typed into the console', () => {
  const cases: [language: string, typed: string, day: string | undefined][] = [
    ['en-GB', '9/3/2014', '2014-03-09'],
    ['en-GB', ' 09-03-2014 ', '2014-03-09'],
    ['en-US', '9/3/2014', '2014-09-03'],
    ['de', '9.3.2014', '2014-03-09'],
    ['de', '9. 3. 14', '2014-03-09'],
    ['ar-u-ca-gregory-nu-latn', '9/3/2014', '2014-03-09'],
    ['ar-u-ca-gregory-nu-latn', '٩/٣/٢٠١٤', '2014-03-09'],
    ['de', '2014-03-09', '2014-03-09'],
    ['en-GB', '29/2/2024', '2024-02-29'],
    ['en-GB', '29/2/2023', undefined],
    ['en-GB', '31/4/2014', undefined],
    ['en-GB', '0/3/2014', undefined],
    ['en-GB', '9/13/2014', undefined],
    ['en-GB', '9/3', undefined],
    ['en-GB', '2014', undefined],
    ['en-GB', '9 March 2014', undefined],
    ['en-GB', '', undefined],
  ]
  for (const [language, typed, day] of cases)
    it(`${typed || 'nothing'}, in ${language}, is ${day ?? 'no day, and the API says so'}`, () => {
      assert.equal(readDay(typed, language), day)
    })

  it('has two digits for a year that is not to come', () => {
    const now = new Date().getFullYear()
    const next = String((now + 1) % 100).padStart(2, '0')
    assert.equal(readDay(`1/1/${next}`, 'en-GB'), `${now + 1 - 100}-01-01`)
  })
})

describe('an age', () => {
  it('counts birthdays that were', () => {
    assert.equal(ageOn('2014-03-09', new Date(2026, 2, 8)), 11)
    assert.equal(ageOn('2014-03-09', new Date(2026, 2, 9)), 12)
    assert.equal(ageOn('2016-02-29', new Date(2026, 1, 28)), 9)
  })
})

describe('a day of a time zone', () => {
  it('begins at midnight there, also where clocks change on that day', () => {
    const expected: Record<string, readonly [iso: string, begins: string]> = {
      UTC: ['2026-09-01', '2026-09-01T00:00:00.000Z'],
      'Asia/Kolkata': ['2026-09-01', '2026-08-31T18:30:00.000Z'],
      'Pacific/Kiritimati': ['2026-09-01', '2026-08-31T10:00:00.000Z'],
      'America/New_York': ['2026-11-01', '2026-11-01T04:00:00.000Z'],
      'Europe/Berlin': ['2026-03-29', '2026-03-28T23:00:00.000Z'],
    }
    for (const [zone, [iso, begins]] of Object.entries(expected)) assert.equal(dayBegins(iso, zone), begins)
  })

  it('ends where the next one begins: 23 hours later, or 25, where clocks change', () => {
    const hours = (iso: string) => {
      const [from, to] = [dayBegins(iso, 'Europe/Berlin'), dayBegins(iso, 'Europe/Berlin', 1)]
      return (Date.parse(to) - Date.parse(from)) / 3_600_000
    }
    assert.deepEqual(['2026-03-29', '2026-10-25', '2026-12-31'].map(hours), [23, 25, 24])
  })
})
