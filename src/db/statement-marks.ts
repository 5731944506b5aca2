/* Comments at the beginning of a statement, by which an engine treats it specially. */

/**
 * Begins a statement of PostgreSQL that is planned each time for its values. One that is prepared under a name gets a
 * plan for any values, in the end even where that is far from the best for some.
 */
export const plannedEachTime = '/* planned each time */ '

/**
 * Begins a read that a work on SQLite is told before it runs: the rows of the last time. The writing thread compares
 * them with what it reads itself, before the next statement of the work. Where they differ, the work is undone with
 * an error that is worth retrying. So the read costs no message of its own.
 */
export const checkedAfterwards = '/* checked afterwards */ '

/**
 * Begins the last statement of a work on SQLite, which gives rows. What was held back runs after it, and the work has
 * ended: works that end so travel in one message with the commit that they share. Where it gives no row, or any of
 * them fails, the work is undone.
 */
export const endsWork = '/* ends the work */ '

/**
 * Begins a statement of a work on SQLite whose answer nobody waits for. It travels with the next one that is awaited,
 * or with the end of the work. Where it fails, so does the commit.
 */
export const heldBack = '/* held back */ '
