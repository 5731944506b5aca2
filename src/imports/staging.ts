import { instantAfter } from '../access/clock.ts'
import { lockPlatform } from '../access/platform.ts'
import { countOf } from '../db/pages.ts'
import type { Db, Instant } from '../db/tables.ts'
import type { Maker } from '../events/log.ts'
import { Problem, unavailable } from '../problems.ts'
import { freeBytes } from '../sheets/in-the-background.ts'
import { columnsOfAuthor } from './acting.ts'
import { changedNothing } from './erasing.ts'
import { holdLease, type Lease, LeaseLostError } from './leases.ts'
import {
  type Failure,
  type ImportKind,
  type ImportMode,
  type ImportRow,
  type ImportState,
  unfinishedStates,
} from './model.ts'
import { moveTo } from './states.ts'

/* The bytes of a file, on their way into the database: in pieces, so that any instance can read them. */

/** How many bytes make a piece. */
export const pieceBytes = 262_144

/** How many files one account may send at once, and all accounts. */
const uploadsAtOnce = { ofAccount: 2, ofAll: 8 }

/** How many imports of one account may hold a file that is not applied, or that changed nothing. */
const mostWaiting = 50

/** Imports in these states hold a file that is not applied; the last until it is erased. */
const waiting: readonly ImportState[] = [...unfinishedStates, 'cancelled']

/** How long the same file of the same account is the same import, in milliseconds. */
const sameForMs = 24 * 3_600_000

/** Imports in these states do not stand for a file that comes again. */
const ended: readonly ImportState[] = ['refused', 'cancelled', 'failed', 'undoing', 'undone']

export interface NewImport {
  readonly kind: ImportKind
  readonly mode: ImportMode
  readonly fileName: string | null
}

/**
 * Begins an import whose file is to come; this instance holds it.
 * @throws Problem too_many_imports, too_many_attempts or overloaded
 */
export async function insertImport(
  db: Db,
  { kind, mode, fileName }: NewImport,
  by: Maker,
  { holder, now, until }: { readonly holder: string; readonly now: Instant; readonly until: Instant },
): Promise<number> {
  if (by.userId !== undefined) await requireRoom(db, by.userId, now)
  const { id } = await db
    .insertInto('imports')
    .values({
      kind,
      mode,
      state: 'reading',
      file_name: fileName,
      file_bytes: 0,
      settings: '{}',
      done: 0,
      user_id: by.userId ?? null,
      ...columnsOfAuthor(by),
      leased_by: holder,
      leased_until: until,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @throws Problem too_many_imports, too_many_attempts or overloaded */
async function requireRoom(db: Db, userId: number, now: Instant): Promise<void> {
  const kept = db
    .selectFrom('imports')
    .where('user_id', '=', userId)
    .where((q) => q.or([q('state', 'in', waiting), changedNothing(q)]))
    .where('emptied_at', 'is', null)
  if ((await countOf(kept)) >= mostWaiting)
    throw new Problem(
      'too_many_imports',
      `You have ${mostWaiting} imports that are not applied, or changed nothing; apply or cancel some. GET /api/imports?unfinished=true lists those that wait. Others count until their files are erased: ten minutes after they were cancelled, and a day after they were applied and changed nothing.`,
    )
  const coming = await db
    .selectFrom('imports')
    .select('user_id')
    .where('state', '=', 'reading')
    .where('file_hash', 'is', null)
    .where('leased_until', '>', now)
    .execute()
  if (coming.filter(({ user_id }) => user_id === userId).length >= uploadsAtOnce.ofAccount) {
    const detail = `You are sending ${uploadsAtOnce.ofAccount} files already; send this one when one of them is done.`
    throw new Problem('too_many_attempts', detail, { headers: { 'Retry-After': '10' } })
  }
  if (coming.length >= uploadsAtOnce.ofAll)
    throw unavailable('overloaded', 'As many files are being sent as may be at once; try again shortly.', {
      seconds: 10,
    })
}

/** A piece of a file. */
export interface Piece {
  /** From 0. */
  readonly place: number
  readonly bytes: Uint8Array
}

/** The import of a file that comes, and the instance to which it comes. */
type Upload = Pick<Lease, 'id' | 'holder'>

/** Keeps a piece. @throws Problem import_state where the import was cancelled meanwhile, or given up */
export async function insertPiece(
  db: Db,
  upload: Upload,
  { place, bytes }: Piece,
  until: Instant,
): Promise<void> {
  await holdUpload(db, upload, until)
  await db.insertInto('import_chunks').values({ import_id: upload.id, place, bytes }).execute()
}

async function holdUpload(db: Db, upload: Upload, until: Instant): Promise<void> {
  try {
    await holdLease(db, { ...upload, state: 'reading' }, until)
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error
    throw new Problem('import_state', 'The import was cancelled while its file came.')
  }
}

/** All of a file. */
export interface Whole {
  readonly bytes: number
  readonly hash: Uint8Array
}

/**
 * Ends an upload: its import waits to be read. Where the account sent the same file for the same within a day, this
 * import goes, and the one from before stands for it; not where another file was applied since that one was.
 * @returns the id of the import that stands for the file
 */
export async function endUpload(db: Db, upload: Upload, whole: Whole, now: Date): Promise<number> {
  await lockPlatform(db) // of two that end at once the second sees the first
  await holdUpload(db, upload, now.toISOString())
  const { kind, mode, user_id } = await db
    .selectFrom('imports')
    .select(['kind', 'mode', 'user_id'])
    .where('id', '=', upload.id)
    .executeTakeFirstOrThrow()
  const same = await db
    .selectFrom('imports')
    .select(['id', 'state', 'change_set_id'])
    .where('user_id', '=', user_id)
    .where('id', '<>', upload.id)
    .where('kind', '=', kind)
    .where('mode', '=', mode)
    .where('file_hash', '=', whole.hash)
    .where('created_at', '>', instantAfter(now, -sameForMs))
    .where('state', 'not in', ended)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (same !== undefined && !(await isOverlaid(db, kind, same))) {
    await db.deleteFrom('imports').where('id', '=', upload.id).execute()
    return same.id
  }
  await db
    .updateTable('imports')
    .set({ file_hash: whole.hash, file_bytes: whole.bytes, leased_by: null, leased_until: null })
    .where('id', '=', upload.id)
    .execute()
  return upload.id
}

/** Whether another file was applied since an import was: what its own says may be wanted again. */
async function isOverlaid(
  db: Db,
  kind: string,
  { state, change_set_id: changed }: { readonly state: string; readonly change_set_id: number | null },
): Promise<boolean> {
  if (state !== 'applied' || changed === null) return false
  const applied = db
    .selectFrom('imports')
    .select('id')
    .where('kind', '=', kind)
    .where('state', '=', 'applied')
  return (await applied.where('change_set_id', '>', changed).limit(1).executeTakeFirst()) !== undefined
}

/** What an import says whose file did not come whole. */
const cut = {
  code: 'upload_cut',
  detail: 'The file did not come whole; send it again.',
} satisfies Failure

/** Gives up an import whose file does not come any more; one that was cancelled meanwhile stays so. */
export async function failUpload(db: Db, id: number, now: Instant): Promise<void> {
  const reading = db.selectFrom('imports').select('id').where('id', '=', id).where('state', '=', 'reading')
  if ((await reading.where('file_hash', 'is', null).executeTakeFirst()) === undefined) return
  await moveTo(db, id, ['reading'], 'failed', now, { failure: cut })
  await db.deleteFrom('import_chunks').where('import_id', '=', id).execute()
}

/**
 * The bytes of an import's file, read piece by piece. Use each before the next is asked for: its memory is given back
 * then. @throws Error where a piece is lost
 */
export function stagedFile(
  db: Db,
  { id, file_bytes }: Pick<ImportRow, 'id' | 'file_bytes'>,
): { bytes(): AsyncIterable<Uint8Array> } {
  return {
    async *bytes() {
      let read = 0
      for (let place = 0; ; place++) {
        const piece = await db
          .selectFrom('import_chunks')
          .select('bytes')
          .where('import_id', '=', id)
          .where('place', '=', place)
          .executeTakeFirst()
        if (piece === undefined) break
        read += piece.bytes.length
        yield piece.bytes
        freeBytes(piece.bytes)
      }
      if (read !== file_bytes)
        throw new Error(`${read} of ${file_bytes} bytes of the file of import ${id} are stored`)
    },
  }
}
