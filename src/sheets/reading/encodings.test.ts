// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sourceOf } from '../../../test/workbooks.ts'
import { OlderEncodings } from './encodings.ts'

describe('the encoding of a text file', () => {
  async function candidatesOf(bytes: Uint8Array, piece = 64 * 1024) {
    const encodings = new OlderEncodings()
    for await (const some of sourceOf(bytes, piece).bytes()) encodings.add(some)
    return encodings.end()
  }

  const encoded = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

  /** Names as programs wrote them before UTF-8: each must be the first that is proposed. */
  const written: readonly [encoding: string, hex: string, text: string][] = [
    ['windows-1252', '4dfc6c6c6572 2c 52656ee965 2c 5a6feb 2c 4dfcdf6967', 'Müller,Renée,Zoë'],
    ['windows-1250', 'a3756b61737a 2c 4d61b3676f727a617461 2c d3736d61 2c 9c6c69777961', 'Łukasz'],
    ['windows-1251', 'cfe5f2f0eee2e0 2c c8e2e0ede0 2c def0e8e9', 'Петрова,Ивана,Юрий'],
    ['windows-1256', 'e3cde3cf 2c daccc7e6c9 2c c3cde3cf', 'محمد'],
    ['gb18030', 'cdf5d0a1c3f7 2c d5c5cead 2c c0eec4c8', '王小明,张'],
    ['shift_jis', '8e529363 91be9859 2c 93638e96', '山田太郎'],
    ['big5', 'a4fda470a9fa 2c b169a5b0 2c aa4c', '王小明'],
    ['euc-kr', 'b1e8c3b6bcf6 2c c0ccbfb5c8f1', '김철수,이영희'],
  ]
  for (const [encoding, hex, text] of written) {
    it(`is asked about where it is ${encoding}, which is proposed first`, async () => {
      const bytes = encoded(hex)
      assert.ok(new TextDecoder(encoding).decode(bytes).startsWith(text))
      const found = await candidatesOf(bytes)
      const order = found.map(({ encoding, samples }) => `${encoding}: ${samples}`)
      assert.equal(found[0]!.encoding, encoding, order.join('\n'))
      for (const { samples } of found) assert.ok(samples.length >= 1 && samples.length <= 5)
    })
  }

  it('is asked about with cells in which the candidates differ, and each is the same for all', async () => {
    const text = `name;class\n${'Zo\xeb;1\n'.repeat(3_000)}\xa3ukasz;2\n`
    const found = await candidatesOf(Buffer.from(text, 'latin1'), 1_000)
    const samples = new Map(found.map(({ encoding, samples }) => [encoding, samples]))
    assert.deepEqual(samples.get('windows-1250'), ['Zoë', 'Łukasz'])
    assert.deepEqual(samples.get('windows-1252'), ['Zoë', '£ukasz'])
    assert.equal(samples.size, new Set([...samples.values()].map(String)).size)
  })

  it('is the most usual where its bytes are signs and blanks alone, and no words of another script', async () => {
    for (const text of ['Yes\xa0/ No.\xa0 Please', '3.81 \x80', '\xa35', '25.40\xb0', '1\xba A'])
      assert.equal((await candidatesOf(Buffer.from(text, 'latin1')))[0]!.encoding, 'windows-1252', text)
  })

  it('is none of those in which its bytes are nothing that people write', async () => {
    const found = await candidatesOf(Buffer.from('Zo\xeb,\x81a', 'latin1'))
    const names = found.map(({ encoding }) => encoding)
    assert.ok(!names.includes('windows-1252') && !names.includes('windows-1250'), String(names))
  })
})
