import { markedEncoding } from './reading/encodings.ts'
import { SheetRefusal, type SheetRefusalCode } from './refusal.ts'

/** Says what a file is by how it begins. @throws SheetRefusal where it is none that is read @param head the first 64 KiB, or more */
export function formatOf(head: Uint8Array): 'xlsx' | 'text' {
  if (head.length === 0) throw new SheetRefusal('empty_file', 'The file is empty.')
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const start = bytes.toString('latin1', 0, 1024)
  if (start.startsWith('PK\x03\x04')) return zipFormat(start)
  for (const [starts, refuse] of others) {
    if (starts.some((one) => start.startsWith(one))) throw refuse(bytes)
  }
  if (markup.test(start)) throw notATable('a web page or an XML file, whatever its name says')(bytes)
  if (markedEncoding(bytes)?.startsWith('utf-16') || !bytes.includes(0)) return 'text'
  throw refusalOf('not_a_table', 'This is neither a text nor a spreadsheet.')
}

function zipFormat(start: string): 'xlsx' {
  if (start.slice(30).startsWith('mimetypeapplication/vnd.oasis.opendocument')) {
    throw refusalOf('open_document', 'This is an OpenDocument file (.ods).')
  }
  return 'xlsx'
}

type Refuse = (bytes: Buffer) => SheetRefusal

/** A web page that is called a spreadsheet is what many school systems export. */
const markup = /^(\xef\xbb\xbf)?\s*<(\?xml|!doctype|!--|html|head|table|workbook)/i

/** What other files begin with. */
const others: readonly [string[], Refuse][] = [
  [['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'], compoundFile],
  [
    ['PK\x01', 'PK\x03', 'PK\x05', 'PK\x07'],
    () => new SheetRefusal('damaged_file', 'The file is not whole. Save it anew, and send that.'),
  ],
  [['%PDF'], notATable('a PDF')],
  [['{\\rtf'], notATable('a text document')],
  [['\x89PNG', '\xff\xd8\xff', 'GIF8', 'RIFF'], notATable('a picture')],
  [['\x1f\x8b', 'BZh', '7z\xbc\xaf', 'Rar!', '\xfd7zXZ'], notATable('an archive')],
]

function notATable(what: string): Refuse {
  return () => refusalOf('not_a_table', `This is ${what}.`, 'Open it in a spreadsheet, and save it as')
}

/** A compound file (MS-CFB) holds a spreadsheet of old, or an encrypted one of today: the names of its parts tell. */
function compoundFile(bytes: Buffer): SheetRefusal {
  if (bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    const remedy = 'Take the password off in the spreadsheet, and save it as'
    return refusalOf('encrypted_file', 'This file has a password.', remedy)
  }
  return refusalOf('old_excel_file', 'This is a file of Excel 97 to 2003 (.xls), or one with a password.')
}

function refusalOf(code: SheetRefusalCode, what: string, remedy = 'Save it as'): SheetRefusal {
  return new SheetRefusal(code, `${what} ${remedy} .xlsx or CSV.`)
}
