import { prepare } from '../db/prepare.ts'
import type { Db } from '../db/tables.ts'

/** The orders in which a school writes the parts of a name. */
export const nameOrders = ['given_first', 'family_first'] as const

export type NameOrder = (typeof nameOrders)[number]

const selectNameOrder = prepare<object, { name_order: NameOrder }>((db) =>
  db.selectFrom('school').select('name_order'),
)

/** The order in which the school writes the parts of a name. */
export async function nameOrderOf(db: Db): Promise<NameOrder> {
  const [row] = await selectNameOrder(db, {})
  return row!.name_order
}
