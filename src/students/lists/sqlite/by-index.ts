import { type Asked, type BoundValues, type NullableColumn, nullableColumn } from '../asked.ts'
import { idsEmptyLast, type Parts, type Piece } from '../empty-last.ts'
import { type Order, orderBy, orderOfFilled } from './ordering.ts'

/** The ids of a page of all students, by the index that has their order. */
export function idsByIndex(asked: Asked, values: BoundValues): string {
  const { sortedBy, limit, offset } = asked
  const column = nullableColumn(asked)
  if (column !== undefined) return idsEmptyLast(column, asked, values, partsBy(column, asked))
  if (sortedBy[0] !== 'folded_name') return idsOfAll(asked, values)
  return idsByText('students_name', asked, { limit, skipped: values.bind(offset) })
}

/** Who has a value in the column, and who has none: each has an index, or is read in the order of ids. */
function partsBy(column: NullableColumn, asked: Asked): Parts {
  const { direction, sortedBy } = asked
  const filled = ` where ${column} is not null`
  const empty = ` where ${column} is null`
  if (column === 'folded_family_name') {
    const byName = { direction, sortedBy: sortedBy.slice(1) }
    return {
      filled: (piece) => idsByText('students_family_name', asked, piece, filled),
      empty: (piece) => idsByText('students_no_family_name', byName, piece, empty),
    }
  }
  const piece = ({ limit, skipped }: Piece) => `limit ${limit} offset ${skipped}`
  return {
    filled: (of) => `select id from students${filled} order by ${orderOfFilled(asked)} ${piece(of)}`,
    empty: (of) => `select id from students not indexed${empty} order by id ${direction} ${piece(of)}`,
  }
}

/**
 * An index on a name has folded names alone. It tells in which of them the page begins; from there on students are
 * read, and those of one folded name put in order.
 * @param where what the index is restricted to
 */
function idsByText(index: string, order: Order, { limit, skipped }: Piece, where = ''): string {
  const { sortedBy, direction } = order
  const column = sortedBy[0]!
  const [from, before] = direction === 'asc' ? ['>=', '<'] : ['<=', '>']
  const and = where.replace(' where ', ' and ')
  return `with there as materialized (
      select ${column}, id from students indexed by ${index}${where}
      order by ${column} ${direction}, id ${direction} limit 1 offset ${skipped}
    )
    select students.id from students indexed by ${index}
    where ${column} ${from} (select ${column} from there)${and}
    order by ${orderOfFilled(order)} limit ${limit} offset (
      select count(*) from there cross join students indexed by ${index}
      where students.${column} = there.${column} and students.id ${before} there.id${and.replace(' and ', ' and students.')}
    )`
}

function idsOfAll(asked: Asked, values: BoundValues): string {
  return `select students.id from students order by ${orderBy(asked)} ${values.limited(asked)}`
}
