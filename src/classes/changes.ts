import { sql } from 'kysely'
import type { Db, Instant } from '../db/tables.ts'
import { updateRow } from '../db/versions.ts'
import { violatesForeignKey, violatesUnique } from '../db/violations.ts'
import { changedFields } from '../events/changed-fields.ts'
import { type Tx, versionAgain } from '../events/log.ts'
import { Problem } from '../problems.ts'
import { recordGrants } from '../roles/queries.ts'
import { uniqueKey } from '../text/normalise.ts'
import { findAccountsById } from '../users/accounts.ts'
import type { ListedClass } from './queries.ts'
import { passKeyOn } from './twin-keys.ts'

/** The longest label, in code points. */
export const maxLabelLength = 100

/** The last position. Classes with the same position are ordered by id. */
export const maxPosition = 1_000_000_000

export interface NewClass {
  /** Of a class whose removal is undone. */
  readonly id?: number
  readonly label: string
  /** Else after the last. */
  readonly position?: number
  /** Of a class that was archived when it was removed. */
  readonly archived?: boolean
  /** See `RecordChange`. */
  readonly place?: number
}

/**
 * @returns the new class's id
 * @throws Problem class_label_taken
 */
export async function insertClass(
  tx: Tx,
  { id: given, label, position, archived = false, place }: NewClass,
  now: Instant,
): Promise<number> {
  const afterLast = sql<number>`(
    select case when max(position) < ${sql.lit(maxPosition)} then max(position) + 1
      when max(position) is null then 1 else ${sql.lit(maxPosition)} end from classes)`
  const again = given !== undefined && { id: given, version: await versionAgain(tx, 'class', given) }
  const inserted = await explainTaken(() =>
    tx
      .insertInto('classes')
      .values({
        ...again,
        label,
        label_key: uniqueKey(label),
        position: position ?? afterLast,
        archived_at: archived ? now : null,
        created_at: now,
        updated_at: now,
      })
      .returning(['id', 'position'])
      .executeTakeFirstOrThrow(),
  )
  const { id } = inserted
  const fields = {
    label: [null, label],
    position: [null, inserted.position],
    ...(archived && ({ archived: [null, true] } as const)),
  } as const
  tx.record({ record: 'class', id, action: 'created', at: now, fields, ...(place && { place }) })
  return id
}

export interface ClassPatch {
  readonly label?: string
  readonly position?: number
  readonly archived?: boolean
}

/**
 * Changes the fields of the patch that differ. If none differs, the version stays.
 * @param before the class, as it is behind `lockClass`
 * @throws Problem class_label_taken
 */
export async function updateClass(
  tx: Tx,
  before: ListedClass,
  { label = before.label, position = before.position, archived = before.archived }: ClassPatch,
  now: Instant,
): Promise<void> {
  const changes = {
    ...(label !== before.label && { label, label_key: uniqueKey(label) }),
    ...(position !== before.position && { position }),
    ...(archived !== before.archived && { archived_at: archived ? now : null }),
  }
  if (Object.keys(changes).length === 0) return
  const key = label === before.label ? undefined : await keyOf(tx, before.id)
  const fields = changedFields(['label', 'position', 'archived'], before, { label, position, archived })
  tx.record({ record: 'class', id: before.id, action: 'changed', at: now, fields })
  await explainTaken(() => updateRow(tx, 'classes', before.id, changes, now))
  if (key !== undefined && key !== uniqueKey(label)) await passKeyOn(tx, ['classes', 'label_key'], key)
}

async function keyOf(db: Db, id: number): Promise<string> {
  const classes = db.selectFrom('classes').where('id', '=', id)
  return (await classes.select('label_key').executeTakeFirstOrThrow()).label_key
}

/**
 * Deletes a class. A grant for this class alone ends, and the version of its account is counted up. Call behind
 * `lockPlatform`, so that nobody is granted anything for the class meanwhile.
 * @throws Problem class_in_use when it has students, or had some
 */
export async function deleteClass(tx: Tx, removed: ListedClass, now: Instant): Promise<void> {
  const { id, label, position, archived } = removed
  await endGrantsFor(tx, id, now)
  try {
    await tx.deleteFrom('classes').where('id', '=', id).execute()
  } catch (error) {
    throw violatesForeignKey(error) ? classInUse(error) : error
  }
  const fields = {
    label: [label, null],
    position: [position, null],
    ...(archived && ({ archived: [true, null] } as const)),
  } as const
  tx.record({ record: 'class', id, action: 'removed', at: now, fields })
}

/** Leaves a new database without the classes that it is made with. */
export async function removeAllClasses(db: Db): Promise<void> {
  await db.deleteFrom('classes').execute()
}

async function endGrantsFor(tx: Tx, classId: number, now: Instant): Promise<void> {
  const holders = await tx
    .selectFrom('user_role_classes')
    .select('user_id')
    .distinct()
    .where('class_id', '=', classId)
    .execute()
  const ids = holders.map(({ user_id }) => user_id)
  if (ids.length === 0) return
  const before = await findAccountsById(tx, ids)
  for (const id of ids) await updateRow(tx, 'users', id, {}, now)
  await deleteFromGrants(tx, classId)
  const after = await findAccountsById(tx, ids)
  for (const id of ids) recordGrants(tx, id, before.get(id)!.roles, after.get(id)!.roles, now)
}

/** Removes a class from all grants. A grant that is left without a class is removed. */
async function deleteFromGrants(db: Db, classId: number): Promise<void> {
  const grants = await db
    .deleteFrom('user_role_classes')
    .where('class_id', '=', classId)
    .returning(['user_id', 'role_id'])
    .execute()
  for (const { user_id, role_id } of grants) {
    await db
      .deleteFrom('user_roles')
      .where('user_id', '=', user_id)
      .where('role_id', '=', role_id)
      .where('all_classes', '=', 0)
      .where((q) =>
        q.not(
          q.exists(
            q
              .selectFrom('user_role_classes as others')
              .select('others.class_id')
              .whereRef('others.user_id', '=', 'user_roles.user_id')
              .whereRef('others.role_id', '=', 'user_roles.role_id'),
          ),
        ),
      )
      .execute()
  }
}

function classInUse(cause: unknown): Problem {
  return new Problem(
    'class_in_use',
    'The class has or had students, so it stays. Archive it instead: PATCH /api/classes/{id} with archived true, or ./registrar.js class archive ID.',
    { cause },
  )
}

async function explainTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!violatesUnique(error, 'classes.label_key')) throw error
    throw new Problem(
      'class_label_taken',
      'Another class has this label; labels that look alike count as one.',
      {
        errors: [{ pointer: '/label', code: 'taken', detail: 'is the label of another class' }],
        cause: error,
      },
    )
  }
}
