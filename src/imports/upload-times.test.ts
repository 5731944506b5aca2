import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { byTest, openSchool } from '../../test/school.ts'
import { pieceBytes } from './staging.ts'
import { receiveFile } from './upload.ts'

describe('a file that comes slowly', () => {
  it('has 32 s for each piece, and ten minutes for all of it', async (t) => {
    const { db, app } = await openSchool()
    let now = 0
    t.mock.method(performance, 'now', () => now)
    const allowed: number[] = []
    const pieces = 25
    async function* bytes() {
      for (let i = 0; i < pieces; i++) {
        yield Buffer.alloc(pieceBytes, 'x')
        now += 30_000
      }
    }
    await receiveFile(
      {
        ...{ db, clock: () => new Date(), holder: app.importJobs.holder, maxBytes: pieces * pieceBytes },
        ending: new AbortController().signal,
      },
      { kind: 'students', mode: 'upsert', fileName: null },
      { by: byTest, check: () => {} },
      { body: Readable.from(bytes()), allow: (ms) => allowed.push(ms) },
    )
    t.mock.restoreAll()
    // The stream reads ahead, so that the clock may be a piece further.
    const [whole, cut] = [
      allowed.filter((ms) => ms === 32_000).length,
      allowed.filter((ms) => ms === 0).length,
    ]
    assert.equal(allowed.length, 1 + pieces)
    assert.ok(whole >= 19 && whole <= 21, `${allowed}`)
    assert.equal(allowed.length - whole - cut, 1, `${allowed}`)
    assert.ok(allowed.slice(-cut).every((ms) => ms === 0) && cut >= 4, `${allowed}`)
  })
})
