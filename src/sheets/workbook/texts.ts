import { limits } from '../limits.ts'
import { tooLarge } from '../refusal.ts'
import { readXml } from './xml.ts'

/** How many texts are kept as one: a text of its own takes some 60 bytes besides its characters. */
const textsOfBlock = 1_024

/** Texts by number, in little memory. */
export class Texts {
  readonly #blocks: { readonly text: string; readonly ends: Uint32Array }[] = []
  #last: string[] = []
  #bytes = 0

  /** Takes the next text. @throws SheetRefusal where they are too much */
  add(text: string): void {
    this.#bytes += 4 + 2 * text.length
    if (this.#bytes > limits.sharedTextBytes) throw tooLarge()
    this.#last.push(text)
    if (this.#last.length < textsOfBlock) return
    let end = 0
    const ends = Uint32Array.from(this.#last, ({ length }) => (end += length))
    this.#blocks.push({ text: this.#last.join(''), ends })
    this.#last = []
  }

  at(number: number): string | undefined {
    const block = this.#blocks[Math.floor(number / textsOfBlock)]
    const place = number % textsOfBlock
    if (block === undefined) return this.#last[number - this.#blocks.length * textsOfBlock]
    const end = block.ends[place]
    return end === undefined ? undefined : block.text.slice(place === 0 ? 0 : block.ends[place - 1], end)
  }
}

/** The texts that cells share (CT_Sst), in their order. */
export async function sharedTextsOf(part: AsyncIterable<Uint8Array>): Promise<Texts> {
  const texts = new Texts()
  const reader = new TextReader()
  await readXml(part, {
    open: (name) => reader.open(name),
    text: (text) => reader.add(text),
    close(name) {
      reader.close(name)
      if (name === 'si') texts.add(reader.take())
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
