// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unseenIn } from './formats.ts'

describe('a character that nobody sees', () => {
  it('is named by its code point, the first of them', () => {
    assert.equal(unseenIn('A\u200bda\u00ad', 'person-name'), 'U+200B')
    assert.equal(unseenIn('A\ud800da', 'person-name'), 'U+D800')
    assert.equal(unseenIn('Ada 😀', 'person-name'), undefined)
  })

  it('is looked for in the first thousand characters alone', () => {
    assert.equal(unseenIn(`${'😀'.repeat(999)}\u0007`, 'text-in-lines'), 'U+0007')
    assert.equal(unseenIn(`${'😀'.repeat(1_000)}\u0007`, 'text-in-lines'), undefined)
  })
})
