import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sentName } from '../console/imports/file-name.ts'
import { isPrintable } from '../src/text/normalise.ts'
import { openSchool } from './school.ts'

describe('the name of a file that the console sends', () => {
  it('holds nothing that the server refuses, whatever the file is called', () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point)
      assert.ok(isPrintable(sentName(character)), `U+${point.toString(16)}`)
    }
  })

  it('keeps what is read: letters and marks, and the joiners of Persian', () => {
    for (const name of ['الطلاب.csv', 'دانش\u200cآموزان.xlsx', 'Klaßse 5 – März.csv'])
      assert.equal(sentName(name), name)
    assert.equal(sentName('Zoe\u0308.csv'), 'Zoë.csv')
  })

  it('is taken with a mark of direction in it, and when it is long', async () => {
    const school = await openSchool()
    const as = await school.person('administrator')
    for (const [i, name] of [
      '\u200fالطلاب.csv',
      `${'😀'.repeat(300)}.csv`,
      `${'\u0958'.repeat(150)}.csv`,
    ].entries()) {
      const { status, text } = await school.send(
        'POST',
        `/api/imports?file_name=${encodeURIComponent(sentName(name))}`,
        {
          ...{
            as,
            payload: `name,admission_number,class\nAda,f-${i},Class 1\n`,
            headers: { 'content-type': 'text/csv' },
          },
        },
      )
      assert.equal(status, 202, text)
    }
  })
})
