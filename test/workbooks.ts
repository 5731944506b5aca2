import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { SheetSource } from '../src/sheets/read.ts'

/* XLSX files as programs write them, part by part. */

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const ofPackage = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

export interface WrittenSheet {
  readonly name?: string
  readonly state?: 'hidden' | 'veryHidden'
  /** What stands in `<sheetData>`. */
  readonly rows: string
}

export interface WrittenWorkbook {
  readonly sheets: readonly WrittenSheet[]
  /** What stands in `<sst>`: none, no such part. */
  readonly shared?: string
  /** The number formats of cells, by style: an id, or a code. */
  readonly formats?: readonly (number | string)[]
  readonly date1904?: boolean
  /** Parts besides, or in place of those above; null: left out. */
  readonly parts?: Readonly<Record<string, string | Uint8Array | null>>
}

/** A workbook as Excel writes it. */
export function writtenWorkbook({ sheets, shared, formats = [], date1904, parts = {} }: WrittenWorkbook) {
  const files: Record<string, string | Uint8Array | null> = {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': relationships([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${head}<workbook ${main} xmlns:r="${relations}"><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${sheets
      .map(
        ({ name, state }, i) =>
          `<sheet name="${name ?? `Sheet${i + 1}`}" sheetId="${i + 1}"${state ? ` state="${state}"` : ''} r:id="rId${i + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...sheets.map((_, i) => [`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`] as const),
      ['rId90', 'styles', 'styles.xml'],
      ...(shared === undefined ? [] : [['rId91', 'sharedStrings', 'sharedStrings.xml'] as const]),
    ]),
    'xl/styles.xml': stylesOf(formats),
    ...(shared !== undefined && { 'xl/sharedStrings.xml': `${head}<sst ${main}>${shared}</sst>` }),
    ...Object.fromEntries(
      sheets.map(({ rows }, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `${head}<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...parts,
  }
  return zipped(files)
}

/** One sheet of cells that are given as XML, one array a row. */
export function sheetOf(rows: readonly (readonly string[])[]): WrittenSheet {
  return { rows: rows.map((cells, i) => `<row r="${i + 1}">${cells.join('')}</row>`).join('') }
}

/** A cell that holds its text itself. */
export function inline(text: string): string {
  return `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
}

/** A ZIP of these files; null: left out. */
export async function zipped(files: Readonly<Record<string, string | Uint8Array | null>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files))
    if (content !== null) zip.addBuffer(Buffer.from(content), path)
  zip.end()
  return buffer(zip.outputStream)
}

/** A file in memory, in pieces. */
export function sourceOf(file: Uint8Array, piece = 64 * 1024): SheetSource {
  return {
    async *bytes() {
      for (let at = 0; at < file.length; at += piece) yield file.subarray(at, at + piece)
    },
  }
}

function relationships(all: readonly (readonly [id: string, type: string, target: string])[]): string {
  const list = all.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`,
  )
  return `${head}<Relationships ${ofPackage}>${list.join('')}</Relationships>`
}

function stylesOf(formats: readonly (number | string)[]): string {
  const codes = formats.flatMap((format, i) =>
    typeof format === 'string'
      ? [`<numFmt numFmtId="${164 + i}" formatCode="${format.replaceAll('"', '&quot;')}"/>`]
      : [],
  )
  const styles = formats.map(
    (format, i) => `<xf numFmtId="${typeof format === 'string' ? 164 + i : format}"/>`,
  )
  return `${head}<styleSheet ${main}><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`
}
