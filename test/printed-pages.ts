import { inflateSync } from 'node:zlib'

/** A page of a PDF. */
export interface PrintedPage {
  /** In points, 72 to an inch. */
  readonly width: number
  readonly height: number
  /** Its texts without blanks, in the order in which they are drawn. */
  readonly text: string
}

interface Piece {
  readonly dictionary: string
  readonly stream: string
}

/** The pages of a PDF as Chromium writes it: plain objects, streams deflated, fonts that tell their letters. */
export function printedPages(pdf: Buffer): PrintedPage[] {
  const pieces = piecesOf(pdf)
  const get = (id: string | undefined) => pieces.get(Number(id)) ?? { dictionary: '', stream: '' }
  const catalog = [...pieces.values()].find(({ dictionary }) => /\/Type\s*\/Catalog/.test(dictionary))!
  const leaves = (id: string): Piece[] => {
    const piece = get(id)
    const kids = /\/Kids\s*\[([^\]]*)\]/.exec(piece.dictionary)?.[1]
    if (kids === undefined) return [piece]
    return [...kids.matchAll(/(\d+) 0 R/g)].flatMap(([, kid]) => leaves(kid!))
  }
  const lettersOf = new Map<string, Letters>()
  return leaves(/\/Pages (\d+) 0 R/.exec(catalog.dictionary)![1]!).map(({ dictionary }) => {
    const [width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(dictionary)!.slice(1).map(Number)
    const fonts = /\/Font\s*<<([^>]*)>>/.exec(dictionary)?.[1] ?? ''
    for (const [, , font] of fonts.matchAll(/\/(F\d+) (\d+) 0 R/g))
      if (!lettersOf.has(font!))
        lettersOf.set(font!, letters(get(/\/ToUnicode (\d+) 0 R/.exec(get(font).dictionary)?.[1]).stream))
    const byName = new Map(
      [...fonts.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, font]) => [name!, lettersOf.get(font!)!]),
    )
    const { stream } = get(/\/Contents (\d+) 0 R/.exec(dictionary)?.[1])
    return { width: width!, height: height!, text: textOf(stream, byName) }
  })
}

function piecesOf(pdf: Buffer): Map<number, Piece> {
  const text = pdf.toString('latin1')
  const pieces = new Map<number, Piece>()
  const begin = /(?:^|\n)(\d+) 0 obj\s/g
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const from = begin.lastIndex
    const end = text.indexOf('endobj', from)
    const streamAt = text.indexOf('stream\n', from)
    const hasStream = streamAt !== -1 && streamAt < end
    const dictionary = text.slice(from, hasStream ? streamAt : end)
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1] ?? 0)
    const start = streamAt + 'stream\n'.length
    const bytes = hasStream ? pdf.subarray(start, start + length) : Buffer.alloc(0)
    const stream = dictionary.includes('/FlateDecode') ? inflateSync(bytes) : bytes
    pieces.set(Number(found[1]), { dictionary, stream: stream.toString('latin1') })
    begin.lastIndex = hasStream ? start + length : end
  }
  return pieces
}

/** What the codes of a font stand for, and how many hexadecimal digits one has. */
interface Letters {
  readonly digits: number
  readonly byCode: ReadonlyMap<number, string>
}

/** Reads a CMap (ISO 32000-1 §9.10.3). */
function letters(cmap: string): Letters {
  const byCode = new Map<number, string>()
  const hex = (text: string) => Number.parseInt(text, 16)
  const asText = (utf16: string) => Buffer.from(utf16, 'hex').swap16().toString('utf16le')
  for (const [, block] of cmap.matchAll(/beginbfchar(.*?)endbfchar/gs))
    for (const [, code, to] of block!.matchAll(/<(\w+)>\s*<(\w+)>/g)) byCode.set(hex(code!), asText(to!))
  for (const [, block] of cmap.matchAll(/beginbfrange(.*?)endbfrange/gs))
    for (const [, first, last, to] of block!.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g))
      for (let code = hex(first!); code <= hex(last!); code++)
        byCode.set(code, String.fromCodePoint(hex(to!) + code - hex(first!)))
  return { digits: /begincodespacerange\s*<(\w+)>/.exec(cmap)?.[1]?.length ?? 4, byCode }
}

function textOf(content: string, fonts: ReadonlyMap<string, Letters>): string {
  let font: Letters | undefined
  let text = ''
  for (const [, name, codes] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
    if (name !== undefined) font = fonts.get(name)
    else
      for (const code of codes!.match(new RegExp(`.{${font?.digits ?? 4}}`, 'g')) ?? [])
        text += font?.byCode.get(Number.parseInt(code, 16)) ?? ''
  }
  return text.normalize('NFKC').replaceAll(/\s/g, '') // ligatures are letters
}
