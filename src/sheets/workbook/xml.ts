import { TextDecoder } from 'node:util'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { limits } from '../limits.ts'
import { markedEncoding } from '../reading/encodings.ts'
import { damaged, SheetRefusal } from '../refusal.ts'

/** How deep elements stand in each other, at the most: a spreadsheet's parts have some ten levels. */
const mostLevels = 64

/** What to do with the elements of a part. Names are without prefix. */
export interface XmlHandlers {
  open(name: string, attributes: Attributes): void
  close?(name: string): void
  /** Each text between two tags, also what is blank. */
  text?(text: string): void
}

export type Attributes = Readonly<Record<string, string>>

/** Reads XML piece by piece, in UTF-8 or UTF-16. It keeps nothing but the tags that are open. */
export class XmlReader {
  readonly #parser = new SaxesParser()
  #decoder: TextDecoder | undefined
  #levels = 0
  /** How many bytes were given since a tag. */
  #quiet = 0

  constructor(handlers: XmlHandlers) {
    this.#parser.on('doctype', () => {
      throw doctype()
    })
    this.#parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
      this.#quiet = 0
      if (++this.#levels > mostLevels) throw damaged()
      handlers.open(local(name), attributes)
    })
    this.#parser.on('closetag', ({ name }: SaxesTagPlain) => {
      this.#quiet = 0
      this.#levels--
      handlers.close?.(local(name))
    })
    if (handlers.text !== undefined) {
      const text = handlers.text.bind(handlers)
      this.#parser.on('text', text)
      this.#parser.on('cdata', text)
    }
  }

  /** @throws SheetRefusal where it is not well-formed, or declares a document type */
  add(bytes: Uint8Array): void {
    this.#decoder ??= new TextDecoder(markedEncoding(bytes) ?? 'utf-8', { fatal: true })
    this.#quiet += bytes.length
    this.#write(bytes, true)
    if (this.#quiet > limits.rowBytes) throw damaged()
  }

  /** @throws SheetRefusal where more should follow */
  end(): void {
    this.#write(new Uint8Array(), false)
    refusing(() => this.#parser.close())
  }

  #write(bytes: Uint8Array, stream: boolean): void {
    refusing(() => this.#parser.write(this.#decoder?.decode(bytes, { stream }) ?? ''))
  }
}

/** Reads a part whole. */
export async function readXml(part: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> {
  const reader = new XmlReader(handlers)
  for await (const bytes of part) reader.add(bytes)
  reader.end()
}

/** The value of an attribute that has a prefix, whichever it is. */
export function prefixed(attributes: Attributes, name: string): string | undefined {
  return Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1]
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function refusing(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw error instanceof SheetRefusal ? error : damaged()
  }
}

function doctype(): SheetRefusal {
  const remedy = 'Open the file in a spreadsheet, and save it anew as .xlsx.'
  return new SheetRefusal('doctype', `The file declares a document type, as no spreadsheet does. ${remedy}`)
}
