import type { BoundStatement } from '../../../db/sqlite-reader.ts'
import { type Asked, BoundValues } from '../asked.ts'
import type { GuardianQuery } from '../guardians.ts'
import { idList, jsonOf, ordering, rowsOf } from './statements.ts'

/** A page of the students who have some guardian. */
export type AskedOfGuardian = Asked & { readonly guardian: GuardianQuery }

/** The page: how many rows, and these as JSON (a `PageRow`). */
export function guardianPageStatement(asked: AskedOfGuardian): BoundStatement {
  const values = new BoundValues('?')
  const ids = `select students.id from ${studentsFound(asked, values)}
    order by ${ordering(asked)} ${values.limited(asked)}`
  return { sql: jsonOf(rowsOf(ids)), parameters: values.all }
}

/** How many there are in all. */
export function guardianTotalStatement(asked: AskedOfGuardian): BoundStatement {
  const values = new BoundValues('?')
  return { sql: `select count(*) as total from ${studentsFound(asked, values)}`, parameters: values.all }
}

function studentsFound({ guardian, classes, patterns }: AskedOfGuardian, values: BoundValues): string {
  const found = `(${foundByGuardian(guardian, values)}) as found`
  const conditions = patterns.map((pattern) => `instr(students.search_text, ${values.bind(pattern)}) > 0`)
  if (classes !== 'all')
    conditions.push(`students.class_id in (select value from json_each(${values.bind(idList(classes))}))`)
  const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
  return `${found} cross join students on students.id = found.student_id${where}`
}

/** Selects the students who have the guardian, each once, as `student_id`. */
export function foundByGuardian({ names, email, digits }: GuardianQuery, values: BoundValues): string {
  const selects: string[] = []
  if (names.length > 0) selects.push(byIndex(names.map((name) => contains('names', name, values))))
  if (digits !== undefined) selects.push(byIndex([contains('digits', digits, values)]))
  if (email !== undefined) {
    const [from, to] = [values.bind(email), values.bind(`${email}\u007f`)]
    selects.push(`select student_id from guardian_texts where email >= ${from} and email < ${to}`)
  }
  return `select distinct student_id from (${selects.join(' union all ')})`
}

function byIndex(conditions: readonly string[]): string {
  return `select student_id from guardian_search
    cross join guardian_texts on guardian_texts.id = guardian_search.rowid where ${conditions.join(' and ')}`
}

/** FTS5 answers `glob` from its trigrams, and compares what it finds with the text itself. */
function contains(column: 'names' | 'digits', text: string, values: BoundValues): string {
  return `guardian_search.${column} glob ${values.bind(`*${text.replace(/[*?[]/g, '[$&]')}*`)}`
}
