import type { BoundStatement } from '../../../db/sqlite-reader.ts'
import { BoundValues } from '../asked.ts'
import type { AskedSlice } from '../slices.ts'
import { idRows, restricted } from './ids.ts'
import { rowsOf, valuesAs } from './statements.ts'

/** A slice, as a `SliceRow`. No index is walked but that of ids, so that all slices together read all once. */
export function sliceStatement(asked: AskedSlice): BoundStatement {
  const values = new BoundValues('?')
  const { selected, json } = valuesAs(asked.columns)
  const sql = `select ${json} as json, max(page.id_of_slice) as last
    from (${rowsOf(`${selected}, students.id as id_of_slice`, idsOf(asked, values))}) as page`
  return { sql, parameters: values.all }
}

function idsOf({ part, ...asked }: AskedSlice, values: BoundValues): string {
  const met = restricted(asked, values)
  if ('ids' in part) {
    const given = `${idRows(part.ids, values)} as given`
    const held = ['students.id = given.value', ...met].join(' and ')
    return `select students.id from ${given} cross join students on ${held} order by given.key`
  }
  const held = [`students.id > ${values.bind(part.after)}`, ...met].join(' and ')
  return `select students.id from students not indexed where ${held} order by students.id limit ${part.limit}`
}
