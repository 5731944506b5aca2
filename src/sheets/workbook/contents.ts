import { posix } from 'node:path'
import { limits } from '../limits.ts'
import { damaged, SheetRefusal, type SheetRefusalCode, tooLarge } from '../refusal.ts'
import type { Package } from './package.ts'
import { type Attributes, prefixed, readXml } from './xml.ts'

/** What a workbook consists of, by the names of its parts. */
export interface Contents {
  readonly sheets: readonly { readonly name: string; readonly hidden: boolean; readonly part: string }[]
  readonly sharedTexts: string | undefined
  readonly styles: string | undefined
  /** Whether days count from 1904, as on Macs of old. */
  readonly is1904: boolean
}

interface Relation {
  readonly type: string
  readonly part: string
}

/** Finds the sheets of a workbook. @throws SheetRefusal where it is none, or takes values from other files */
export async function contentsOf(file: Package): Promise<Contents> {
  const part = await workbookPart(file)
  const relations = await relationsOf(file, part)
  const partOf = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.part
  if (file.names.some((name) => name.includes('/externallinks/')) || partOf('externalLink') !== undefined) {
    throw externalLinks()
  }
  const sheets: Contents['sheets'][number][] = []
  let is1904 = false
  await readXml(file.read(part), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 ||= /^(1|true|on)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const id = prefixed(attributes, 'id')
      if (id === '') return // a module of Excel 95
      const relation = relations.get(id ?? '')
      if (relation === undefined) throw damaged()
      if (relation.type !== 'worksheet') return // a chart, or macros of old
      const hidden = /hidden/i.test(attributes.state ?? '')
      if (sheets.length === limits.parts) throw tooLarge()
      const called = (attributes.name ?? '').slice(0, limits.sheetName).toWellFormed()
      sheets.push({ name: called, hidden, part: relation.part })
    },
  })
  const [sharedTexts, styles] = ['sharedStrings', 'styles'].map((type) => {
    const part = partOf(type)
    return part !== undefined && file.has(part) ? part : undefined // some programs name what they do not write
  })
  return { sheets, sharedTexts, styles, is1904 }
}

async function workbookPart(file: Package): Promise<string> {
  const known = others.find(([pattern]) => file.names.some((name) => pattern.test(name)))
  if (known !== undefined) throw new SheetRefusal(known[1], `${known[2]} Save it as .xlsx or CSV.`)
  if (!file.has('_rels/.rels')) throw notAWorkbook()
  const relations = await relationsOf(file, '')
  const main = [...relations.values()].find(({ type }) => type === 'officeDocument')
  if (main === undefined || !file.has(main.part)) throw notAWorkbook()
  return main.part
}

/** Files that are ZIPs too. */
const others: readonly [RegExp, SheetRefusalCode, string][] = [
  [/^xl\/workbook\.bin$/, 'binary_workbook', 'This is a binary spreadsheet (.xlsb).'],
  [/^word\//, 'not_a_table', 'This is a text document.'],
  [/^ppt\//, 'not_a_table', 'This is a presentation.'],
  [/^index\/.*\.iwa$/, 'not_a_table', 'This is a file of Numbers.'],
  [/^content\.xml$/, 'open_document', 'This is an OpenDocument file (.ods).'],
]

/** The parts that a part refers to, by the id of the reference; '' is the whole file. Types are without their address. */
async function relationsOf(file: Package, part: string): Promise<Map<string, Relation>> {
  const folder = posix.dirname(part)
  const relations = new Map<string, Relation>()
  await readXml(file.read(posix.join(folder, '_rels', `${posix.basename(part)}.rels`)), {
    open(name, attributes) {
      if (name !== 'Relationship') return
      relations.set(attributes.Id ?? '', relationOf(attributes, folder))
      if (relations.size > limits.parts) throw tooLarge()
    },
  })
  return relations
}

function relationOf({ Type = '', Target = '' }: Attributes, folder: string): Relation {
  const part = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target)
  return { type: posix.basename(Type), part }
}

function externalLinks(): SheetRefusal {
  const remedy = 'Copy the rows as values into a new file, or save them as CSV.'
  return new SheetRefusal('external_links', `The spreadsheet takes values from other files. ${remedy}`)
}

function notAWorkbook(): SheetRefusal {
  return new SheetRefusal('not_a_table', 'This is an archive (ZIP) and no spreadsheet. Send the file in it.')
}
