import { limits } from '../limits.ts'
import { tooLarge } from '../refusal.ts'
import { readXml } from './xml.ts'

/** What a text takes in memory besides its characters, in bytes. */
const bytesOfText = 32

/** The texts that cells share (CT_Sst), in their order. */
export async function sharedTextsOf(part: AsyncIterable<Uint8Array>): Promise<string[]> {
  const texts: string[] = []
  const reader = new TextReader()
  let bytes = 0
  await readXml(part, {
    open: (name) => reader.open(name),
    text: (text) => reader.add(text),
    close(name) {
      reader.close(name)
      if (name !== 'si') return
      const text = reader.take()
      bytes += bytesOfText + text.length
      if (bytes > limits.sharedTextBytes) throw tooLarge()
      texts.push(text)
    },
  })
  return texts
}

/** Reads a text that may consist of pieces of different looks (CT_Rst). How it is pronounced is not part of it. */
export class TextReader {
  #text = ''
  #isText = false
  #isPhonetic = false

  open(name: string): void {
    this.#isText = name === 't' && !this.#isPhonetic
    if (name === 'rPh') this.#isPhonetic = true
  }

  close(name: string): void {
    this.#isText = false
    if (name === 'rPh') this.#isPhonetic = false
  }

  add(text: string): void {
    if (this.#isText) this.#text += text
  }

  /** @returns the text, and begins another */
  take(): string {
    const text = this.#text
    this.#text = ''
    return unescaped(text)
  }
}

/** A text as a cell has it: `_xHHHH_` is a character that XML cannot hold (ST_Xstring). */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}
