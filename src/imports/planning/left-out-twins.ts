import type { RawBuilder } from 'kysely'
import { isOneOf, isOneOfTexts } from '../../db/is-one-of.ts'
import { rowsBeside } from '../../db/read-beside.ts'
import type { Db } from '../../db/tables.ts'
import type { FileFacts } from '../model.ts'
import { paramsOf, placeInWords } from '../row-places.ts'
import type { Near, Twin } from './near.ts'
import type { Amendment } from './plan-rows.ts'
import { leftOutByHand } from './row-plan.ts'

/* A child who stands twice in a file is in neither row where somebody leaves both out. */

/** How many rows are looked at once. */
const sliceSize = 500

/** Rows with those that may be of the same child, where a row that is set aside makes none doubtful. */
export function withoutAside(twins: readonly Twin[], aside: ReadonlySet<number>): Twin[] {
  if (aside.size === 0) return [...twins]
  return twins.flatMap((twin) => {
    const others = twin.others.filter((place) => !aside.has(place))
    return aside.has(twin.place) || others.length === 0 ? [] : { ...twin, others }
  })
}

/**
 * The rows that are left out by hand, and with each of them all others that may be of the same child, who is not there.
 * @param twins by their names; known: who may be students who are there
 * @returns their places in the order of the file, each with that of another
 */
export async function leftOutWithTwins(
  db: Db,
  importId: number,
  leftOut: ReadonlySet<number>,
  { twins, known }: { readonly twins: readonly Twin[]; readonly known: readonly Near[] },
): Promise<(readonly [place: number, other: number])[]> {
  if (leftOut.size < 2) return []
  const places = [...leftOut].sort((a, b) => a - b)
  const others = new Map(places.map((place): [number, number[]] => [place, []]))
  for (const twin of twins) others.get(twin.place)?.push(...twin.others)
  for (const [place, other] of await ofOneNumber(db, importId, places, leftOut))
    others.get(place)!.push(other)
  const mayBeThere = new Set(known.map(({ place }) => place))
  return [...others].flatMap(([place, alike]) => {
    const isNeither = alike.length > 0 && !mayBeThere.has(place) && alike.every((one) => leftOut.has(one))
    return isNeither ? [[place, alike[0]!] as const] : []
  })
}

/** Rows that are left out, each with another that has its number: where there is one, with one that is not left out. */
async function ofOneNumber(
  db: Db,
  importId: number,
  places: readonly number[],
  leftOut: ReadonlySet<number>,
): Promise<(readonly [place: number, other: number])[]> {
  const pairs: (readonly [number, number])[] = []
  for (let at = 0; at < places.length; at += sliceSize) {
    const slice = places.slice(at, at + sliceSize)
    const own = await numbered(db, importId, isOneOf(db, 'place', slice))
    const keys = [...new Set(own.map(({ number_key }) => number_key))]
    if (keys.length === 0) continue
    const all = await numbered(db, importId, isOneOfTexts(db, 'number_key', keys))
    const groups = Map.groupBy(all, ({ number_key }) => number_key)
    for (const { place, number_key } of own) {
      const group = groups.get(number_key)!.filter((row) => row.place !== place)
      const other = group.find((row) => !leftOut.has(row.place)) ?? group[0]
      if (other !== undefined) pairs.push([place, other.place])
    }
  }
  return pairs
}

async function numbered(
  db: Db,
  importId: number,
  met: RawBuilder<boolean>,
): Promise<{ readonly place: number; readonly number_key: string }[]> {
  const query = db
    .selectFrom('import_plan')
    .select(['place', 'number_key'])
    .where('import_id', '=', importId)
    .where('number_key', 'is not', null)
    .where(met)
    .orderBy('place')
    .$narrowType<{ number_key: string }>()
  return rowsBeside(db, query)
}

/** What the plan says of such a row. */
export function leftOutBeside(place: number, other: number, facts: FileFacts | null): Amendment {
  const detail = `is left out by hand, and so is ${placeInWords(other, facts)}, which may be the same child: neither row is imported`
  const cells = [{ ...leftOutByHand, detail, params: paramsOf(other, facts) }]
  return { place, outcome: 'left_out', cells, likeness: null }
}
