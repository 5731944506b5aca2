// Runs once: no database is asked.
import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { OnePieceResponse } from './one-piece.ts'

const everyByte = Buffer.from(Array.from({ length: 2_048 }, (_, i) => i % 256))

/** The pieces that a response hands to its socket, and in which encodings texts among them are. */
async function piecesOf(
  answer: (response: OnePieceResponse) => void,
  encodings: string[] = [],
): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  const bytesOf = ({ chunk, encoding }: { chunk: Buffer | string; encoding: BufferEncoding }) =>
    typeof chunk === 'string' && encodings.push(encoding) ? Buffer.from(chunk, encoding) : (chunk as Buffer)
  const socket = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => done(void pieces.push(bytesOf({ chunk, encoding }))),
    writev: (chunks, done) => done(void pieces.push(...chunks.map(bytesOf))),
  })
  const response = new OnePieceResponse(new IncomingMessage(new Socket()))
  response.assignSocket(socket as Socket)
  const finished = new Promise((resolve) => response.on('finish', resolve))
  answer(response)
  await finished
  return pieces.filter(({ length }) => length > 0)
}

function bodyOf(pieces: readonly Buffer[]): Buffer {
  const all = Buffer.concat(pieces)
  return all.subarray(all.indexOf('\r\n\r\n') + 4)
}

describe('a response', () => {
  const headers = (length: number) => ({ 'Content-Length': length })

  it('sends a short body in one piece with its headers, byte for byte', async () => {
    for (const body of [everyByte, everyByte.subarray(100, 356), Buffer.from('Nguyễn'), Buffer.alloc(0)]) {
      const pieces = await piecesOf((response) => response.writeHead(200, headers(body.length)).end(body))
      assert.equal(pieces.length, 1)
      assert.deepEqual(bodyOf(pieces), body)
    }
  })

  it('sends a longer one as it is, and texts as UTF-8', async () => {
    const long = Buffer.concat([everyByte, everyByte])
    const pieces = await piecesOf((response) => response.writeHead(200, headers(long.length)).end(long))
    assert.equal(pieces.length, 2)
    assert.deepEqual(bodyOf(pieces), long)
    const text = await piecesOf((response) => response.writeHead(200, headers(8)).end('Nguyễn', 'utf8'))
    assert.equal(bodyOf(text).toString(), 'Nguyễn')
  })

  it('sends texts as UTF-8, whatever they hold', async () => {
    const texts = [
      'Ada',
      'Zoë',
      'Nguyễn',
      '王小明',
      'أحمد',
      '🎓',
      'a\ud800b',
      '',
      'ễ'.repeat(682),
      'ễ'.repeat(683),
    ]
    for (const text of texts) {
      const body = Buffer.from(text)
      for (const encoding of [undefined, null, 'utf8'] as const) {
        const pieces = await piecesOf((response) =>
          response.writeHead(200, headers(body.length)).end(text, encoding as BufferEncoding),
        )
        assert.deepEqual(bodyOf(pieces), body)
      }
    }
    assert.equal(bodyOf(await piecesOf((response) => response.end('Nguyễn'))).toString(), 'Nguyễn')
  })

  it('encodes no headers with a short text, unless the whole is ASCII', async () => {
    for (const [text, encoding] of [
      ['Nguyễn', 'latin1'],
      ['Zoë', 'latin1'],
      ['Ada', 'utf8'],
    ] as const) {
      const encodings: string[] = []
      await piecesOf(
        (response) => response.writeHead(200, headers(Buffer.byteLength(text))).end(text),
        encodings,
      )
      assert.deepEqual(encodings, [encoding])
    }
  })

  it('calls back when it has ended, however it was asked to', async () => {
    const called: string[] = []
    await piecesOf((response) => response.end(() => called.push('alone')))
    await piecesOf((response) => response.end(Buffer.from('x'), () => called.push('with bytes')))
    await piecesOf((response) => response.end(Buffer.from('x'), 'utf8', () => called.push('with both')))
    assert.deepEqual(called, ['alone', 'with bytes', 'with both'])
  })
})
