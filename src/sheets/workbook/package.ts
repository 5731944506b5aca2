import { crc32 } from 'node:zlib'
import yauzl from 'yauzl'
import { limits } from '../limits.ts'
import { damaged, SheetRefusal, tooLarge } from '../refusal.ts'

/** The parts of an Office file (OPC, ECMA-376 part 2): a ZIP. Their names do not tell capitals from small letters. */
export class Package {
  readonly #zip: yauzl.ZipFile
  readonly #parts: ReadonlyMap<string, yauzl.Entry>

  private constructor(zip: yauzl.ZipFile, parts: ReadonlyMap<string, yauzl.Entry>) {
    this.#zip = zip
    this.#parts = parts
  }

  /** Finds the parts, and unpacks none. @throws SheetRefusal where it is not whole, is encrypted or holds too much */
  static async open(file: Buffer): Promise<Package> {
    return refusing(async () => {
      const zip = await yauzl.fromBufferPromise(file) // backslashes in names are taken for slashes
      if (zip.entryCount > limits.parts) throw tooLarge()
      const parts = new Map<string, yauzl.Entry>()
      let unpacked = 0
      for await (const part of zip.eachEntry()) {
        checkPart(part)
        unpacked += part.uncompressedSize
        if (unpacked > limits.unpackedBytes) throw tooLarge()
        const name = part.fileName.toLowerCase()
        if (parts.has(name)) throw damaged()
        parts.set(name, part)
      }
      return new Package(zip, parts)
    })
  }

  /** The names of all parts, in small letters. */
  get names(): string[] {
    return [...this.#parts.keys()]
  }

  has(name: string): boolean {
    return this.#parts.has(name.toLowerCase())
  }

  /** The bytes of a part, in pieces. @throws SheetRefusal where there is no such part, or it is not whole */
  async *read(name: string): AsyncGenerator<Uint8Array> {
    const part = this.#parts.get(name.toLowerCase())
    if (part === undefined) throw damaged()
    const pieces = await refusing(() => this.#zip.openReadStreamPromise(part))
    const iterator = pieces[Symbol.asyncIterator]()
    let sum = 0
    try {
      for (;;) {
        const next: IteratorResult<Buffer> = await refusing(() => iterator.next())
        if (next.done) break
        sum = crc32(next.value, sum)
        yield next.value
      }
    } finally {
      pieces.destroy()
    }
    if (sum !== part.crc32) throw damaged()
  }
}

function checkPart(part: yauzl.Entry): void {
  if (part.isEncrypted()) {
    const remedy = 'Take the password off in the spreadsheet, and save it as .xlsx or CSV.'
    throw new SheetRefusal('encrypted_file', `This file has a password. ${remedy}`)
  }
  const isTight = part.uncompressedSize > limits.unpackedTimes * part.compressedSize
  if (isTight && part.uncompressedSize > limits.smallPartBytes) throw tooLarge()
}

/** Refuses the file where it cannot be unpacked. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof SheetRefusal ? error : damaged()
  }
}
