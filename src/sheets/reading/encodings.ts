import { TextDecoder } from 'node:util'
import { SheetRefusal } from '../refusal.ts'
import { ForeignCells } from './foreign-cells.ts'
import { plausibilityOf } from './plausibility.ts'

/** An encoding that a file may be in, and what some of its cells are then. */
export interface EncodingCandidate {
  /** A label of the WHATWG Encoding Standard. */
  readonly encoding: string
  /** Up to five cells, or parts of them: the same for all candidates, and such in which these differ. */
  readonly samples: readonly string[]
}

/**
 * What programs wrote before UTF-8, in the order in which they are met. Of those that read a file alike only the first
 * is a candidate.
 */
const older = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'windows-1256',
  'shift_jis',
  'euc-kr',
  'gb18030',
  'big5',
  'euc-jp',
  'windows-1253',
  'windows-1255',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-2',
  'macintosh',
  'x-mac-cyrillic',
  'koi8-r',
  'koi8-u',
  'ibm866',
]

const mostSamples = 5

/** Says what the byte order mark does, if there is one. @param head the first three bytes, or more */
export function markedEncoding([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined
}

/** Finds the encodings, of those that came before UTF-8, in which all of a file is text. */
export class OlderEncodings {
  readonly #foreign = new ForeignCells()
  #readings = older.map((encoding) => new Reading(encoding))

  add(bytes: Uint8Array): void {
    this.#foreign.add(bytes)
    this.#readings = this.#readings.filter((reading) => reading.add(bytes, true))
  }

  /** @returns the likeliest first; at least one @throws SheetRefusal where there is none */
  end(): EncodingCandidate[] {
    this.#foreign.end()
    this.#readings = this.#readings.filter((reading) => reading.add(new Uint8Array(), false))
    if (this.#readings.length === 0) throw noText()
    const { cells, telling, bytes } = this.#foreign
    const distinct = new Map<string, string>()
    for (const { encoding } of this.#readings) {
      const text = [...cells, bytes].map((cell) => decoded(cell, encoding)).join('\n')
      if (!distinct.has(text)) distinct.set(text, encoding)
    }
    const likely = [...distinct.values()]
      .map((encoding) => {
        const texts = cells.map((cell) => decoded(cell, encoding))
        return { encoding, plausibility: plausibilityOf(texts, encoding) }
      })
      .sort((a, b) => b.plausibility - a.plausibility)
      .map(({ encoding }) => encoding)
    const samples = tellingApart(telling, likely)
    return likely.map((encoding) => ({
      encoding,
      samples: samples.map((cell) => decoded(cell, encoding).trim()),
    }))
  }
}

/** The reading of a file in one encoding. */
class Reading {
  readonly encoding: string
  readonly #decoder: TextDecoder

  constructor(encoding: string) {
    this.encoding = encoding
    this.#decoder = new TextDecoder(encoding, { fatal: true })
  }

  /** @returns whether these bytes are characters that people write */
  add(bytes: Uint8Array, stream: boolean): boolean {
    try {
      return !/[\x80-\x9f\p{Co}\p{Cn}]/u.test(this.#decoder.decode(bytes, { stream }))
    } catch {
      return false
    }
  }
}

/** The cells by which most encodings can be told apart: each is the one that, with those before it, tells the most. */
function tellingApart(cells: readonly Buffer[], encodings: readonly string[]): Buffer[] {
  let left = cells.map((cell) => ({ cell, texts: encodings.map((encoding) => decoded(cell, encoding)) }))
  let keys = encodings.map(() => '')
  const chosen: Buffer[] = []
  while (left.length > 0 && chosen.length < mostSamples) {
    const told = left.map(({ texts }) => new Set(texts.map((text, i) => `${keys[i]}\n${text}`)).size)
    const best = left[told.indexOf(Math.max(...told))]!
    keys = keys.map((key, i) => `${key}\n${best.texts[i]}`)
    chosen.push(best.cell)
    left = left.filter((one) => one !== best)
  }
  return chosen
}

/** What of a character that was cut stands at the end is left out. */
function decoded(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes).replace(/\ufffd+$/, '')
}

function noText(): SheetRefusal {
  const remedy = 'Save it as CSV in UTF-8, or as .xlsx.'
  return new SheetRefusal('invalid_encoding', `The file is no text in any encoding that is known. ${remedy}`)
}
