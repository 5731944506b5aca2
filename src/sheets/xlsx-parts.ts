/* The parts of an XLSX file that do not depend on its rows (ECMA-376, part 1). */

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The style of cells that hold texts, whatever is typed into them: number format 49, `@`. */
export const textStyle = 1

const styles = `${head}<styleSheet xmlns="${main}">
<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border/></borders>
<cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="2"><xf xfId="0"/><xf xfId="0" numFmtId="49" applyNumberFormat="1"/></cellXfs>
</styleSheet>`

/** The path of a sheet, from 1. */
export const sheetPath = (sheet: number) => `xl/worksheets/sheet${sheet}.xml`

/** What stands before the rows of a sheet: its first row stays in sight. */
export function sheetHead(columns: number): string {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const cols = `<cols><col min="1" max="${columns}" width="18" style="${textStyle}" customWidth="1"/></cols>`
  return `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>${columns > 0 ? cols : ''}<sheetData>`
}

/** What stands after them. */
export const sheetFoot = '</sheetData></worksheet>'

/** All other parts of a file, by path. @param names of its sheets, which hold nothing that XML escapes */
export function otherParts(names: readonly string[]): ReadonlyMap<string, string> {
  const sheets = names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
  const ofSheets = names.map((_, i) => relation(i + 1, 'worksheet', sheetPath(i + 1).slice(3)))
  const types = names.map((_, i) => override(sheetPath(i + 1), 'worksheet'))
  return new Map([
    ['xl/styles.xml', styles],
    [
      'xl/workbook.xml',
      `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationships([...ofSheets, relation(names.length + 1, 'styles', 'styles.xml')]),
    ],
    ['_rels/.rels', relationships([relation(1, 'officeDocument', 'xl/workbook.xml')])],
    [
      '[Content_Types].xml',
      `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
${override('xl/workbook.xml', 'sheet.main')}${override('xl/styles.xml', 'styles')}${types.join('')}</Types>`,
    ],
  ])
}

function relation(id: number, type: string, target: string): string {
  return `<Relationship Id="rId${id}" Type="${relations}/${type}" Target="${target}"/>`
}

function relationships(all: readonly string[]): string {
  return `${head}<Relationships xmlns="${packageRelations}">${all.join('')}</Relationships>`
}

function override(path: string, type: string): string {
  return `<Override PartName="/${path}" ContentType="${spreadsheet}.${type}+xml"/>`
}
