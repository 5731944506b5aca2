import { plannedEachTime } from '../../../db/statement-marks.ts'
import { BoundValues } from '../asked.ts'
import type { AskedSlice } from '../slices.ts'
import { idArray } from './ids.ts'
import { restricted } from './search.ts'
import { expressionOf, type Statement } from './statements.ts'

/** A slice, as a `SliceRow`. PostgreSQL's functions take at most 100 arguments: there are fewer columns than that. */
export function sliceStatement({ part, classes, conditions, columns }: AskedSlice): Statement {
  const values = new BoundValues('$')
  const isNamed = 'ids' in part
  const from = isNamed
    ? `unnest(${idArray(part.ids, values)}) with ordinality as given (id, place) join students on students.id = given.id`
    : 'students'
  const met = restricted({ classes, conditions }, values)
  const isPlanned = met.length > 0 // of all students, the index of ids is always taken
  if (!isNamed) met.push(`students.id > ${values.bind(part.after)}`)
  const where = met.length > 0 ? `where ${met.join(' and ')}` : ''
  const order = isNamed ? 'order by given.place' : `order by students.id limit ${part.limit}`
  const sql = `${isPlanned ? plannedEachTime : ''}select coalesce(json_agg(page.student), '[]')::text as json, max(page.id) as last
    from (
      select json_build_array(${columns.map(expressionOf).join(', ')}) as student, students.id
      from ${from} join classes on classes.id = students.class_id ${where} ${order}
    ) as page`
  return { sql, parameters: values.all }
}
