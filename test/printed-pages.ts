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

/** The pages of a PDF as Chromium and Firefox write it: streams deflated, fonts that tell their letters. */
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
    const box = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/.exec(dictionary)!
    const [width, height] = box.slice(1).map(Number)
    const resources = get(/\/Resources (\d+) 0 R/.exec(dictionary)?.[1]).dictionary || dictionary
    const fonts = /\/Font\s*<<([^>]*)>>/.exec(resources)?.[1] ?? ''
    const named = [...fonts.matchAll(/\/(\S+) (\d+) 0 R/g)]
    for (const [, , font] of named)
      if (!lettersOf.has(font!))
        lettersOf.set(font!, letters(get(/\/ToUnicode (\d+) 0 R/.exec(get(font).dictionary)?.[1]).stream))
    const byName = new Map(named.map(([, name, font]) => [name!, lettersOf.get(font!)!]))
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
    const start = streamAt + 'stream\n'.length
    const length = /\/Length (\d+)\b(?! \d+ R)/.exec(dictionary)?.[1] // else it is a piece of its own
    const stop = length === undefined ? text.indexOf('endstream', start) : start + Number(length)
    const bytes = hasStream ? pdf.subarray(start, stop) : Buffer.alloc(0)
    const stream = (dictionary.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1')
    pieces.set(Number(found[1]), { dictionary, stream })
    for (const [id, packed] of packedIn(dictionary, stream))
      pieces.set(id, { dictionary: packed, stream: '' })
    begin.lastIndex = hasStream ? stop : end
  }
  return pieces
}

/** The dictionaries in an object stream (ISO 32000-1 §7.5.7), by their ids; of any other piece, none. */
function packedIn(dictionary: string, stream: string): [id: number, dictionary: string][] {
  if (!/\/Type\s*\/ObjStm/.test(dictionary)) return []
  const first = Number(/\/First (\d+)/.exec(dictionary)?.[1])
  const heads = [...stream.slice(0, first).matchAll(/(\d+)\s+(\d+)/g)]
  const places = heads.map(([, , place]) => first + Number(place))
  return heads.map(([, id], i) => [Number(id), stream.slice(places[i], places[i + 1])])
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
  const drawn = /\/(\S+) [\d.]+ Tf|<([0-9A-Fa-f]+)>|\(((?:\\.|[^\\)])*)\)/gs
  for (const [, name, hex, literal] of content.matchAll(drawn)) {
    if (name !== undefined) font = fonts.get(name)
    else
      for (const code of (hex ?? hexOf(literal!)).match(new RegExp(`.{${font?.digits ?? 4}}`, 'g')) ?? [])
        text += font?.byCode.get(Number.parseInt(code, 16)) ?? ''
  }
  return text.normalize('NFKC').replaceAll(/\s/g, '') // ligatures are letters
}

/** A literal string (ISO 32000-1 §7.3.4.2) as hexadecimal digits. */
function hexOf(literal: string): string {
  const control: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
  const plain = literal.replaceAll(/\\(?:([0-7]{1,3})|(.))/gs, (_, octal, letter) =>
    octal === undefined ? (control[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
  )
  return Buffer.from(plain, 'latin1').toString('hex')
}
