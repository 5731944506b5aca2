import assert from 'node:assert/strict'
import { exportedFile } from './exported-students.ts'
import type { Person, School } from './school.ts'
import { readCsv, readXlsx } from './sheets.ts'

type Row = Record<string, string>

/** The rows of both files that a query exports, which must be alike, each as an object by the header. */
export async function exportedRows(school: School, as: Person, query: string): Promise<Row[]> {
  const [header, ...rows] = readCsv(await exportedFile(school, as, `/api/students.csv?${query}`))
  const sheets = await readXlsx(await exportedFile(school, as, `/api/students.xlsx?${query}`))
  assert.deepEqual([...sheets.keys()], ['students'])
  const filled = sheets
    .get('students')!
    .map((row) => [...row, ...Array(header!.length - row.length).fill('')])
  assert.deepEqual(filled, [header, ...rows])
  return rows.map((row) => Object.fromEntries(header!.map((name, i) => [name, row[i]!])))
}

/** What a list may be asked for, of students who have a field `clubs`. */
export const listTerms = [
  'search=zo',
  'class_id=1',
  'gender=@a',
  'preferred_name.empty=true',
  'guardian=a',
  'fields.clubs=Oak',
  'date_of_birth.from=2014-01-01',
]

export const listOrders = [
  'id',
  '-id',
  'name',
  '-name',
  'family_name',
  'created_at',
  '-admission_number',
  'date_of_birth',
]

/** An export has those whom the list finds, in its order. @returns how many they are */
export async function exportsAsListed(
  school: School,
  as: Person,
  terms: readonly string[],
  order: string,
): Promise<number> {
  const query = [...terms, `sort=${order}`, 'columns=id,name'].join('&')
  const { body } = await school.get(`/api/students?per_page=1000&${query}`, as)
  const listed = body.data.map(({ id, name }: { id: number; name: string }) => ({ id: String(id), name }))
  assert.deepEqual(await exportedRows(school, as, query), listed, query)
  return listed.length
}
