// Runs once: what it shows does not depend on the engine, or concerns SQLite files alone.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { madeOf } from './definitions.ts'
import type { Field } from './queries.ts'
import { shownValues } from './values.ts'

const keys = ['a', 'ab', 'b', 'b_2', 'constructor', 'house', 'plan']
const text = fc.string({
  unit: fc.constantFrom('"', '\\', ',', ']', '}', ':', 'a', 'é', '\n', '\u2028', '"a":', '😀'),
})
const value = fc.oneof(
  text,
  fc.array(text),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const field = fc.record({ sensitive: fc.boolean(), archived: fc.boolean(), position: fc.nat(3) })

describe('what is shown of stored values', () => {
  it('is all that is not hidden, in the order of the fields, whatever the values hold', () => {
    const fields = fc.tuple(...keys.map(() => field))
    const values = fc.tuple(...keys.map(() => fc.option(value, { nil: undefined })))
    fc.assert(
      fc.property(fields, values, fc.boolean(), fc.boolean(), (given, held, withSensitive, isOrdered) => {
        const all = given
          .map(
            (one, i) =>
              ({ ...one, id: i + 1, key: keys[i]!, position: isOrdered ? 1 : one.position }) as Field,
          )
          .sort((one, other) => one.position - other.position || one.id - other.id)
        const stored = JSON.stringify(Object.fromEntries(keys.map((key, i) => [key, held[i]])))
        const shown = all.filter(({ sensitive, archived }) => !archived && (withSensitive || !sensitive))
        const expected = shown.map(({ id, key }) => [key, held[id - 1]])
        assert.equal(
          shownValues({ version: 1, updated_at: '', ...madeOf(all) }, stored, withSensitive),
          JSON.stringify(Object.fromEntries(expected)),
        )
      }),
      { numRuns: 5_000 },
    )
  })
})
