// Runs once: it concerns no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MeantClasses } from './meant-class.ts'

describe('the class that a label means', () => {
  const find = (label: string, ...labels: string[]) => {
    const classes = labels.map((label, i) => ({ id: i + 1, label, archived: false, usable: true }))
    return new MeantClasses(classes).find(label)
  }
  const meant = (label: string, ...labels: string[]) => find(label, ...labels)?.one.label
  const likeness = (label: string, ...labels: string[]) => find(label, ...labels)?.likeness

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
  it('is the same but for its spelling, whatever word for a class stands beside it, in five languages', () => {
    const school = ['1a', '1b', '11a', 'Hasen']
    for (const label of [
      ...['Klasse 1a', '1 a', '1.A', '1-a', '01a', 'Kl. 1a', 'Kl.1a', 'KLASSE1A', '1. Klasse a', 'Class 1 A'],
      ...['Grade 1-A', 'classe 1a', 'clase 1a', 'Curso 1 A', 'الصف 1a', 'صف ١ a', 'فصل 1a'],
    ]) {
      assert.equal(meant(label, ...school), '1a', label)
      assert.equal(likeness(label, ...school), 'spelling', label)
      assert.equal(likeness('1a', label), 'spelling', label)
    }
    assert.equal(meant('Klasse Hasen', ...school), 'Hasen')
    assert.equal(meant('الصف 1a', 'Klasse 1a', 'Klasse 1b'), 'Klasse 1a')
    assert.equal(meant('Grade 1-1', 'Class 11', 'Class 1-1'), 'Class 1-1')
  })

  it('is one alone: of two, the one with the same word, and else none', () => {
    assert.equal(meant('7a', 'Year 7 A', 'Form 7 A'), undefined)
    assert.equal(meant('year 7a', 'Year 7 A', 'Form 7 A'), 'Year 7 A')
    assert.equal(meant('Klasse 1a', '1a', 'Sonnenschule 1a'), '1a')
  })

  it('is only near where a word differs, or a letter was typed twice', () => {
    assert.equal(likeness('Klase 5', 'Klasse 5'), 'near')
    assert.equal(likeness('Sonnenschule 1a', '1a'), 'near')
    assert.equal(meant('5aa', '5a', '5b', '1a'), '5a')
    assert.equal(meant('Klasse 5 AA', '5a', '5b'), '5a')
    assert.equal(likeness('5aa', '5a'), 'near')
    assert.equal(meant('7 II', '7 I'), undefined)
    assert.equal(meant('5b', '5a'), undefined)
    assert.equal(meant('11a', '1a'), undefined)
  })
})
