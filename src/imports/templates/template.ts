import { Readable } from 'node:stream'
import type { Authority } from '../../access/authority.ts'
import { isInScope } from '../../access/scope.ts'
import { findClasses } from '../../classes/queries.ts'
import type { Db } from '../../db/tables.ts'
import { guardianHeading, guardianParts, type HeadingLanguage, headingOf } from '../../exports/headings.ts'
import { type Field, findFields } from '../../fields/queries.ts'
import type { Schema } from '../../http/json-schema.ts'
import { openSheet, type SheetFormat } from '../../sheets/sheet.ts'
import { detailNames, details, sensitiveMembers } from '../../students/details.ts'
import { exampleLabel, exampleNumber } from '../cells/example-rows.ts'
import type { ImportKind } from '../model.ts'

/** A column of a template: its heading, and what stands in the row that is an example. */
type Column = readonly [heading: string, example: string]

/** For how many guardians a template has columns; a file may have ten. */
const guardians = 2

const guardianExamples: Readonly<Record<(typeof guardianParts)[number], string>> = {
  name: 'Jörg Müller',
  relation: 'father',
  phone: '+49 30 901820',
  email: 'joerg@family.example',
  address: '',
  note: '',
}

const relations: Readonly<Record<HeadingLanguage, string>> = {
  en: 'father',
  de: 'Vater',
  fr: 'père',
  es: 'padre',
  ar: 'أب',
}

/**
 * Makes a file with a header of all that someone may import, and one row as an example.
 * @param language of the headings, as exports have them; none: the names of members
 */
export async function templateFile(
  db: Db,
  authority: Authority,
  kind: ImportKind,
  language: HeadingLanguage | undefined,
  format: SheetFormat,
): Promise<Readable> {
  const columns = kind === 'classes' ? classColumns(language) : await studentColumns(db, authority, language)
  const sheet = await openSheet(format, kind, columns.length)
  const rows = [columns.map(([heading]) => heading), columns.map(([, example]) => example)]
  return Readable.from([await sheet.add(rows), await sheet.end()], { objectMode: false })
}

function classColumns(language: HeadingLanguage | undefined): Column[] {
  return [[language === undefined ? 'label' : headingOf('class', language), exampleLabel]]
}

async function studentColumns(
  db: Db,
  authority: Authority,
  language: HeadingLanguage | undefined,
): Promise<Column[]> {
  const seesAll = authority.scopeOf('students.sensitive') !== undefined
  const isShown = (name: string) => seesAll || !(sensitiveMembers as readonly string[]).includes(name)
  const fields = (await findFields(db)).filter(
    ({ archived, sensitive }) => !archived && (seesAll || !sensitive),
  )
  const plain: readonly Column[] = [
    ['admission_number', exampleNumber],
    ['name', 'Zoë Müller'],
    ['class', await classOf(db, authority)],
    ...detailNames.filter(isShown).map((name): Column => [name, exampleOf(details[name].schema)]),
  ]
  return [
    ...plain.map(([name, example]): Column => [headingOf(name, language), example]),
    ...(isShown('guardians') ? guardianColumns(language) : []),
    ...fields.map((field): Column => [`fields.${field.key}`, exampleOfField(field)]),
  ]
}

/** The first class that takes students and that someone may import for. */
async function classOf(db: Db, authority: Authority): Promise<string> {
  const scope = authority.scopeOf('students.import')
  const found = (await findClasses(db)).find(({ id, archived }) => !archived && isInScope(scope, id))
  return found?.label ?? 'Class 1'
}

function guardianColumns(language: HeadingLanguage | undefined): Column[] {
  const examples = { ...guardianExamples, ...(language && { relation: relations[language] }) }
  return Array.from({ length: guardians }, (_, i) => i).flatMap((i) =>
    guardianParts.map(
      (part): Column => [guardianHeading(i + 1, part, language), i === 0 ? examples[part] : ''],
    ),
  )
}

function exampleOf(schema: Schema): string {
  const { examples = [] } = schema as { readonly examples?: readonly string[] }
  return examples[0] ?? ''
}

function exampleOfField({ kind, options }: Field): string {
  switch (kind) {
    case 'one_of':
    case 'several_of':
      return options?.[0] ?? ''
    case 'number':
      return '1'
    case 'date':
      return '2026-09-01'
    case 'yes_no':
      return 'true'
    default:
      return 'Text'
  }
}
