import type { BoundStatement } from '../../../db/sqlite-reader.ts'
import { type Asked, BoundValues } from '../asked.ts'
import type { GuardianQuery } from '../guardians.ts'
import { restricted } from './ids.ts'
import { orderBy } from './ordering.ts'
import { pageOfIds } from './statements.ts'

/** A page of the students who have some guardian. */
export type AskedOfGuardian = Asked & { readonly guardian: GuardianQuery }

/** The page, and how many there are in all: a `PageRow` with the total. What is found is read once for both. */
export function guardianPageStatement(asked: AskedOfGuardian): BoundStatement {
  const values = new BoundValues('?')
  const found = studentsFound(asked, values)
  const isById = asked.sortedBy.length === 0
  const inOrder = isById ? 'found as students' : 'found cross join students on students.id = found.id'
  const ids = `select students.id from ${inOrder} order by ${orderBy(asked)} ${values.limited(asked)}`
  const sql = `with found as materialized (${found})
    select page.*, (select count(*) from found) as total from (${pageOfIds(asked, ids)}) as page`
  return { sql, parameters: values.all }
}

/** Students are read only where more than the guardian is asked for. */
function studentsFound(asked: AskedOfGuardian, values: BoundValues): string {
  const { guardian, patterns } = asked
  const found = foundByGuardian(guardian, values)
  const conditions = patterns.map((pattern) => `instr(students.search_text, ${values.bind(pattern)}) > 0`)
  conditions.push(...restricted(asked, values))
  if (conditions.length === 0) return found
  return `select students.id from (${found}) as found cross join students on students.id = found.id
    where ${conditions.join(' and ')}`
}

/** Selects the ids of the students who have the guardian, each once. */
export function foundByGuardian({ names, email, digits }: GuardianQuery, values: BoundValues): string {
  const selects: string[] = []
  if (names.length > 0) selects.push(byIndex('names', names, values))
  if (digits !== undefined) selects.push(byIndex('digits', [digits], values))
  if (email !== undefined) {
    const [from, to] = [values.bind(email), values.bind(`${email}\u007f`)]
    selects.push(`select student_id from guardian_texts where email >= ${from} and email < ${to}`)
  }
  return `select distinct student_id as id from (${selects.join(' union all ')})`
}

/** The index has the parts of three characters of both columns together: what it finds is read besides. */
function byIndex(column: 'names' | 'digits', texts: readonly string[], values: BoundValues): string {
  const parts = new Set(texts.flatMap(partsOfThree))
  const match = [...parts].map((part) => `"${part.replaceAll('"', '""')}"`).join(' AND ')
  const found = `guardian_search match ${values.bind(match)}`
  const held = texts.map((text) => `instr(guardian_texts.${column}, ${values.bind(text)}) > 0`)
  return `select student_id from guardian_search
    cross join guardian_texts on guardian_texts.id = guardian_search.rowid
    where ${[found, ...held].join(' and ')}`
}

function partsOfThree(text: string): string[] {
  const characters = [...text]
  return characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''))
}
