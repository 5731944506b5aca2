import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dialled, digitsOf } from './phones.ts'

describe('the digits of a phone number', () => {
  const numbers: [phone: string, digits: string][] = [
    ['+49 30 901820', '4930901820'],
    ['+49 (0)30 / 90-18.20', '4930901820'],
    ['(030) 90 18 20', '030901820'],
    ['０３０ ９０１', '030901'],
    ['٠١٢٣ ۴۵۶۷', '01234567'],
    ['२०२६', '2026'],
    ['ask at the office', ''],
    ['', ''],
  ]
  for (const [phone, digits] of numbers)
    it(`of ${JSON.stringify(phone)} are ${digits || 'none'}`, () => assert.equal(digitsOf(phone), digits))
})

describe('what is looked for in phone numbers', () => {
  const typed: [text: string, digits: string | undefined][] = [
    ['030 901820', '30901820'],
    ['+49 30 901820', '30901820'],
    ['0049 30 901820', '30901820'],
    ['+49 (0)30 901820', '30901820'],
    ['(+49) 30 901820', '30901820'],
    ['＋４９ 30 901820', '30901820'],
    ['+1 (212) 555-0123', '2125550123'],
    ['+358 9 1234', '91234'],
    ['+7 495 123', '495123'],
    ['1820', '1820'],
    ['90-18', '9018'],
    ['0301', '0301'],
    ['+49 30', '4930'],
    ['+49', undefined],
    ['+49 30 1', '49301'],
    ['٩٠١٨', '9018'],
    ['182', undefined],
    ['  ', undefined],
    ['Müller 1820', undefined],
    ['1820x', undefined],
    ['a@1820', undefined],
  ]
  for (const [text, digits] of typed)
    it(`for ${JSON.stringify(text)} is ${digits ?? 'nothing'}`, () => assert.equal(dialled(text), digits))
})
