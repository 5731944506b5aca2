import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import { write } from '../../../events/write.ts'

/*
 * The search index (FTS5) grows by a part with each commit, and a search looks into each part. FTS5 merges
 * them by itself when there are sixteen alike; that is a lot for who searches for a rare word.
 */

/** How much of the index is merged in one work, in pages: some milliseconds. */
const pagesAtOnce = 16

/**
 * Merges parts of like size. Run it inside a write, again and again until there is no more to do.
 * @returns whether there may be more to do
 */
export async function mergeSearchIndex(db: Db): Promise<boolean> {
  return merge(db, pagesAtOnce)
}

/**
 * Begins to merge all parts into one, if the smaller ones hold enough for that, a twentieth: `mergeSearchIndex` goes on
 * with it. A million students take a second in all.
 * @returns false: once is enough
 */
export async function gatherSearchIndex(db: Db): Promise<boolean> {
  const { rows: parts } = await sql<{ pages: number }>`
    select count(*) as pages from student_search_idx group by segid`.execute(db)
  const sizes = parts.map(({ pages }) => pages)
  const all = sizes.reduce((sum, pages) => sum + pages, 0)
  if (all - Math.max(0, ...sizes) > all / 20) await merge(db, -pagesAtOnce)
  return false
}

/** @param pages how many at the most; negative: all parts count as alike (FTS5's documentation, "The 'merge' Command") */
async function merge(db: Db, pages: number): Promise<boolean> {
  const before = await totalChanges(db)
  await sql`insert into student_search (student_search, rank) values ('merge', ${pages})`.execute(db)
  return (await totalChanges(db)) - before >= 2
}

async function totalChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(db)
  return rows[0]!.changes
}

/** How many changes of students leave so many parts that it is worth merging them. */
const changesAtOnce = 4

/** How long it waits for more of them, in milliseconds: a flood of changes is not held up by it. */
const pauseMs = 100

/** Keeps the parts few while students come and change, a little after every few of them. */
export class IndexMerging {
  readonly #db: Db
  #changes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Call after each change. */
  changed(): void {
    if (++this.#changes >= changesAtOnce) this.#timer ??= setTimeout(() => this.#merge(), pauseMs).unref()
  }

  #merge(): void {
    this.#timer = undefined
    this.#changes = 0
    // Nobody waits for it; what it leaves undone, housekeeping does.
    write(this.#db, { command: 'merge the search index' }, mergeSearchIndex).catch(() => {})
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}
