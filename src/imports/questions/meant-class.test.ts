// Runs once: it concerns no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MeantClasses } from './meant-class.ts'

describe('the class that a label means', () => {
  const meant = (label: string, ...labels: string[]) => {
    const classes = labels.map((label, i) => ({ id: i + 1, label, archived: false, usable: true }))
    return new MeantClasses(classes).find(label)?.label
  }

  it('is found where only an ordinal is written in another way', () => {
    assert.equal(meant('6ème A', '6eA', '6eB', '5eA'), '6eA')
    assert.equal(meant('6eA', '6ème A', '6ème B'), '6ème A')
    assert.equal(meant('6 e A', '6A'), '6A')
    assert.equal(meant('1re B', '1ère B'), '1ère B')
    assert.equal(meant('7th a', '7a'), '7a')
  })

  it('is not found where the letter tells classes apart', () => {
    assert.equal(meant('5e', '5', '5a'), undefined)
    assert.equal(meant('5 e', '5e', '5d'), '5e')
    assert.equal(meant('3 west', '3 est'), undefined)
  })
})
