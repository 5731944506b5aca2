import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isKeyText, isName, uniqueKey } from './normalise.ts'
import { fold } from './search-words.ts'

/** Every character of the first two planes, where all alphabets are. */
function* characters(): Generator<string> {
  for (let point = 0; point < 0x20000; point++) {
    if (point < 0xd800 || point > 0xdfff) yield String.fromCodePoint(point)
  }
}

const anyText = fc.string({ unit: 'binary', maxLength: 60 })
const letters = fc.string({
  unit: fc.constantFrom(..."aZéßẞØłĐÆœıİIñΣσςяЁ李がか한ｗﬁ²\u0301\u0308 -'"),
  maxLength: 30,
})
const texts = fc.oneof(anyText, letters)

describe('folding for search', () => {
  const folds: [text: string, folded: string][] = [
    ['Zoë', 'zoe'],
    ['Zoe\u0308', 'zoe'],
    ['NGUYỄN VĂN Ổ', 'nguyen van o'],
    ['Straße STRAẞE', 'strasse strasse'],
    ['Søren ØRSTED', 'soren orsted'],
    ['Łukasz Đoković', 'lukasz dokovic'],
    ['Æsop Œuvre', 'aesop oeuvre'],
    ['Işık İnci', 'isik inci'],
    ['Ὀδυσσεύς', 'οδυσσευσ'],
    ['ЁЛКИНА', 'елкина'],
    ['Ｗｉｄｅ ﬁne №', 'wide fine no'],
    ['مُحَمَّد', 'محمد'],
    ['שָׁלוֹם', 'שלום'],
    ['نگار\u200cنژاد', 'نگارنژاد'],
    ['\u00ad\u200d\ufeff', ''],
    ['a\u00a0b\u3000c', 'a b c'],
    ['한국', '한국'],
    ['O’Brien O`Brien O´Brien OʼBrien', "o'brien o'brien o'brien o'brien"],
    ['D’Àngelo', "d'angelo"],
    ['Jean–Luc Jean‐Luc Jean‑Luc Jean—Luc Jean−Luc', 'jean-luc jean-luc jean-luc jean-luc jean-luc'],
    ['محمـد', 'محمد'],
    ['کریم', 'كريم'],
    ['موسى', 'موسي'],
    ['Þórður', 'thordur'],
    ['Għaxaq', 'ghaxaq'],
    ['100% _"\\', '100% _"\\'],
  ]
  for (const [text, folded] of folds) {
    it(`folds ${text} to ${folded}`, () => assert.equal(fold(text), folded))
  }

  it('keeps marks that are letters: vowel signs of India and Thailand, and the voicing of kana', () => {
    for (const text of ['नीलम', 'தமிழ்', 'สมชาย', 'がぎぐ']) assert.equal(fold(text), text)
  })

  it('changes nothing that is folded already', () => {
    for (const character of characters()) assert.equal(fold(fold(character)), fold(character))
    fc.assert(fc.property(texts, (text) => assert.equal(fold(fold(text)), fold(text))))
  })

  it('is the same for all cases of a letter, but for the iota that Greek capitals write beside them', () => {
    for (const character of characters()) {
      assert.equal(fold(character.toLowerCase()), fold(character))
      // Seven Church Slavonic shapes of letters have the upper case of the ordinary one.
      const isRare = /[\u1c80-\u1c88]/.test(character) || character.normalize('NFD').includes('\u0345')
      if (!isRare) assert.equal(fold(character.toUpperCase()), fold(character))
    }
  })

  it('is the same for all cases of a text', () => {
    fc.assert(
      fc.property(letters, (text) => {
        assert.equal(fold(text.toLowerCase()), fold(text))
        assert.equal(fold(text.toUpperCase()), fold(text))
      }),
    )
  })

  it('is the same for all normal forms of a text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        // NFKC and NFKD make a space and an accent of an accent by itself, which is typed as an apostrophe.
        const hasAccent = /[\u00b4\u0384\u1fbd\u1fbf\u1ffd\u1ffe]/.test(text)
        for (const form of hasAccent ? ['NFC', 'NFD'] : ['NFC', 'NFD', 'NFKC', 'NFKD'])
          assert.equal(fold(text.normalize(form)), fold(text))
      }),
    )
  })

  it('folds words apart as it folds them together', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        assert.equal(fold(`${one} ${other}`), fold(`${fold(one)} ${fold(other)}`))
      }),
    )
  })
})

describe('the key by which a number, a label or a role is unique', () => {
  it('is the same for texts that differ in case', () => {
    for (const character of characters()) {
      assert.equal(uniqueKey(character.toLowerCase()), uniqueKey(character))
      assert.equal(uniqueKey(character.toUpperCase()), uniqueKey(character))
      assert.equal(uniqueKey(uniqueKey(character)), uniqueKey(character))
    }
  })

  it('keeps accents', () => assert.notEqual(uniqueKey('É'), uniqueKey('E')))

  for (const twin of ['a-1', 'A\u200b-1', 'A\u00ad-1', 'A\u20111', 'Ａ-１', 'A–1', 'A−1', 'A-1\u2060'])
    it(`is that of A-1 for ${JSON.stringify(twin)}`, () => assert.equal(uniqueKey(twin), 'a-1'))
})

describe('a text that can be seen', () => {
  for (const text of [
    '\u200b',
    '\u3164',
    '\u2800',
    '\u200d',
    '\u0301',
    'A\u200b',
    'A\u00ad1',
    'A\ufe0f',
    'A\u2800',
    ' \u2800 ',
  ])
    it(`is not ${JSON.stringify(text)}`, () => {
      assert.equal(isKeyText(text), false)
      assert.equal(isName(text), false)
    })

  it('has ZWNJ and ZWJ in names alone', () => {
    assert.equal(isName('نگار\u200cنژاد'), true)
    assert.equal(isKeyText('نگار\u200cنژاد'), false)
    assert.equal(isName('क्\u200dष'), true)
  })

  for (const text of ['李', 'が', 'Zoë', 'A-1', '…', '№ 7', 'สมชาย'])
    it(`is ${text}`, () => assert.equal(isKeyText(text) && isName(text), true))
})
