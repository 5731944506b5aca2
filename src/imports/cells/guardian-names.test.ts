import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Kinship, kinshipOf, type OfChild } from './guardian-names.ts'

describe('two names of guardians', () => {
  const child: OfChild = { order: 'given_first', surname: 'Müller' }
  const are = (
    kinship: Kinship,
    pairs: readonly (readonly [one: string, other: string])[],
    of: OfChild = child,
  ) => {
    for (const [one, other] of pairs) {
      assert.equal(kinshipOf(one, other, of), kinship, `${one} / ${other}`)
      assert.equal(kinshipOf(other, one, of), kinship, `${other} / ${one}`)
    }
  }

  it('are of one person where one has the words of the other, and more', () => {
    are('one', [
      ['Anna Müller', 'Anna Maria Müller'],
      ['Anna Müller', 'Müller'],
      ['Anna Müller', 'Müller, Anna'],
      ['Anna Müller', 'Dr. Anna Müller'],
      ['Anna Müller', 'Frau Müller'],
      ['Mrs Brown', 'Ms. Brown'],
      ['Anna Müller', 'A. MULLER'],
      ['Anna Müller', 'Anna Müller-Klein'],
    ])
  })

  it('are of one person where letters are mistyped', () => {
    are('one', [
      ['Ana Müller', 'Anna Müller'],
      ['Jörg Müller', 'Jrög Müller'],
      ['Sofia Meier', 'Sofia Maier'],
      ['Annemarie Müller', 'Anne-Marie Müller'],
      ['Frau Schmid', 'Frau Schmidt'],
      ['Anna Maria Müller', 'Anna Marie Müller'],
    ])
  })

  it('are of one person who married', () => {
    are('one', [
      ['Anna Müller', 'Anna Schmidt'],
      ['Müller, Anna', 'Schmidt, Anna'],
      ['Frau Anna Müller', 'Anna Schmidt'],
    ])
    are('one', [['Müller, Anna', 'Schmidt, Anna']], { order: 'family_first', surname: 'Klein' })
  })

  it('are of two with one surname, however it is written', () => {
    are('kin', [
      ['Anna Müller', 'Peter Müller'],
      ['Müller, Anna', 'Müller, Peter'],
      ['Müller, Anna', 'Peter Müller'],
      ['Müller Anna', 'Müller Peter'],
      ['Anna Müller', 'P. Müller'],
      ['Dr. Anna Müller', 'Dr. Peter Müller'],
      ['Daniel Müller', 'Daniela Müller'],
      ['Andrea Müller', 'Andreas Müller'],
      ['Hans Peter Müller', 'Hans Jürgen Müller'],
      ['أحمد حسن', 'محمد حسن'],
      ['عبد الله حسن', 'عبد الرحمن حسن'],
    ])
    are('kin', [['Nguyen Thi Hoa', 'Nguyen Van Nam']], { order: 'family_first', surname: 'Tran' })
  })

  it('are of two where one is a woman and the other a man by title', () => {
    are('two', [
      ['Frau Schmidt', 'Herr Schmidt'],
      ['Mrs. Brown', 'Mr. Brown'],
      ['Madame Petit', 'Monsieur Petit'],
      ['Señora García', 'Señor García'],
      ['أم أحمد', 'أبو أحمد'],
      ['Schmidt, Frau', 'Herr Schmidt'],
    ])
  })

  it('are unlike where no word is the same, and a surname may be a title', () => {
    are('unlike', [
      ['Anna Müller', 'Peter Klein'],
      ['Mutter', 'Eva Süd'],
    ])
    are('kin', [['سارة السيد', 'كريم السيد']])
  })
})
