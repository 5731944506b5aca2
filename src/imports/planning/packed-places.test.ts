// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PackedGroups, PackedPlaces } from './packed-places.ts'

const far = 9_000 * 2 ** 21 // a place on a sheet far behind

describe('places of rows that are kept as bytes', () => {
  it('are found by their texts, in the order in which they came, however many there are', () => {
    const places = new PackedPlaces()
    const count = 150_000
    for (let i = 0; i < count; i++) places.add(`Zoë 学校 ${i}`, far + i)
    places.add('Zoë 学校 77', 1)
    assert.deepEqual(places.get('Zoë 学校 77'), [far + 77, 1])
    assert.deepEqual(places.shared(), [[far + 77, 1]])
    for (let i = 0; i < count; i += 997)
      if (i !== 77) assert.deepEqual(places.get(`Zoë 学校 ${i}`), [far + i])
    assert.deepEqual(places.get('Zoë 学校'), [])
  })

  it('are told apart where their texts have one hash', () => {
    const places = new PackedPlaces()
    for (const [i, text] of ['Aa', 'BB', 'AaAa', 'BBBB', 'AaBB'].entries()) places.add(text, i)
    assert.deepEqual(
      ['Aa', 'BB', 'AaAa', 'BBBB', 'AaBB', 'BBAa'].map((text) => places.get(text)),
      [[0], [1], [2], [3], [4], []],
    )
    assert.deepEqual(places.shared(), [])
  })

  it('take another one in a large group that was asked for', () => {
    const groups = new PackedGroups<string>()
    const count = 300
    for (let i = 0; i < count; i++) groups.add('one', `name ${i}`, i)
    assert.deepEqual(groups.at('one')!.get('name 7'), [7])
    groups.add('one', 'name 7', count)
    assert.deepEqual(groups.at('one')!.get('name 7'), [7, count])
    assert.deepEqual([...groups.all()][0]!.shared(), [[7, count]])
  })

  it('stand in groups', () => {
    const groups = new PackedGroups<string>()
    for (const [group, text, place] of [
      ['one', 'a', 1],
      ['two', 'a', 2],
      ['one', '', 3],
    ] as const)
      groups.add(group, text, place)
    assert.deepEqual([...groups.at('one')!.keys()], ['a', ''])
    assert.deepEqual(groups.at('two')!.get('a'), [2])
    groups.add('two', 'b', 4)
    assert.deepEqual([...groups.at('two')!.keys()], ['a', 'b'])
    assert.equal(groups.at('three'), undefined)
    assert.equal([...groups.all()].length, 2)
  })
})
