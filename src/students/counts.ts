import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '../db/is-one-of.ts'
import { idsInBlock } from '../db/migrations/0002-scale.ts'
import type { Engine } from '../db/migrations/index.ts'
import { prepare } from '../db/prepare.ts'
import { andThen, type Soon } from '../db/soon.ts'
import type { Db } from '../db/tables.ts'

/** How many students there are, from the parts in which triggers count them. */
export function totalOfStudents(db: Pick<Db, 'selectFrom'>) {
  return db.selectFrom('student_counts').select(sql<number>`cast(sum(students) as bigint)`.as('total'))
}

/** How many students some classes have; `classes`, ids as `3,5`. */
export function totalOfClasses(db: Pick<Db, 'selectFrom'>, engine: Engine, classes: RawBuilder<string>) {
  return db
    .selectFrom('class_counts')
    .select(sql<number>`cast(coalesce(sum(students), 0) as bigint)`.as('total'))
    .where(isOneOf(engine, 'class_id', classes))
}

/** The same, of classes whose ids are bound one by one. SQLite counts each class in one row, and looks it up. */
export function totalOfFewClasses(
  db: Pick<Db, 'selectFrom' | 'selectNoFrom'>,
  engine: Engine,
  classes: readonly RawBuilder<number>[],
) {
  if (engine === 'postgres') {
    return db
      .selectFrom('class_counts')
      .select(sql<number>`cast(coalesce(sum(students), 0) as bigint)`.as('total'))
      .where('class_id', 'in', classes)
  }
  const each = classes.map(
    (id) => sql<number>`coalesce((select students from class_counts where class_id = ${id} and slot = 0), 0)`,
  )
  return db.selectNoFrom(sql<number>`${sql.join(each, sql` + `)}`.as('total'))
}

/** The last block before which no more students stand than are to be skipped. */
const selectBlock = prepare<{ offset: number }, { block: number; before: number }>((db, { offset }) =>
  db
    .selectFrom((q) =>
      q
        .selectFrom('student_blocks')
        .select(['block', sql<number>`sum(students) over (order by block) - students`.as('before')])
        .as('blocks'),
    )
    .selectAll()
    .where('before', '<=', offset)
    .orderBy('block', 'desc')
    .limit(1),
)

/** Where a page begins: so many students are skipped, counted from an id. */
export interface PageStart {
  readonly from: number
  readonly skip: number
}

/**
 * Where the page begins that so many students stand before, on SQLite: the blocks of ids are skipped whole, so that
 * a deep page costs little more than the first.
 */
export function startOfPage(db: Db, offset: number): Soon<PageStart> {
  if (offset < idsInBlock) return { from: 0, skip: offset }
  return andThen(selectBlock(db, { offset }), ([found]) =>
    found ? { from: found.block * idsInBlock, skip: offset - found.before } : { from: 0, skip: offset },
  )
}
