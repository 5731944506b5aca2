import { type InferResult, type QueryCreator, sql } from 'kysely'
import { engineOf } from '../db/engine.ts'
import type { Engine } from '../db/migrations/index.ts'
import type { Page, PageRequest } from '../db/pages.ts'
import type { Db, Tables } from '../db/tables.ts'
import { entityTag } from '../http/conditions.ts'
import { Problem } from '../problems.ts'
import { isNowhere, patternsOf } from '../text/search-words.ts'

/** A role that an account holds; `class_ids` null: for all classes. */
export interface Grant {
  readonly role_id: number
  readonly role: string
  readonly class_ids: number[] | null
}

export interface Account {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly disabled: boolean
  readonly password_change_required: boolean
  readonly roles: Grant[]
  readonly version: number
}

/** An account with the entity tag of what is shown of it. */
interface TaggedAccount {
  readonly account: Account
  readonly tag: string
}

/** The filter of a list of accounts. */
interface AccountFilter {
  readonly search?: string
  readonly role?: string | undefined
  readonly state?: 'active' | 'disabled' | undefined
}

/** One page of accounts with their grants and the exact total, in one statement. @throws Problem validation_failed */
export async function pageOfAccounts(
  db: Db,
  { search = '', role, state }: AccountFilter,
  where: PageRequest,
): Promise<Page<Account>> {
  const patterns = patternsOf(search)
  if (patterns.some(isNowhere)) return { items: [], total: 0 }
  const { items, total } = await readAccounts(db, { patterns, role, state }, where)
  return { items: items.map(({ account }) => account), total }
}

/** Every account, in the order of ids. */
export async function findAccounts(db: Db): Promise<Account[]> {
  const { items } = await readAccounts(db, {})
  return items.map(({ account }) => account)
}

/** @throws Problem user_not_found */
export async function getAccount(db: Db, id: number): Promise<TaggedAccount> {
  const { items } = await readAccounts(db, { id })
  if (items[0] === undefined) throw new Problem('user_not_found', 'There is no account with this id.')
  return items[0]
}

/** Accounts by id. */
export async function findAccountsById(db: Db, ids: readonly number[]): Promise<Map<number, Account>> {
  const found = new Map<number, Account>()
  for (const id of ids) found.set(id, (await getAccount(db, id)).account)
  return found
}

interface Chosen extends Omit<AccountFilter, 'search'> {
  readonly id?: number
  readonly patterns?: readonly string[]
}

function chooseAccounts(db: QueryCreator<Tables>, engine: Engine, { id, patterns, role, state }: Chosen) {
  const position = sql.raw(engine === 'postgres' ? 'strpos' : 'instr')
  let users = db.selectFrom('users').select('users.id')
  if (id !== undefined) users = users.where('users.id', '=', id)
  for (const pattern of patterns ?? [])
    users = users.where(sql<boolean>`${position}(users.search_text, ${pattern}) > 0`)
  if (state !== undefined)
    users = users.where('users.disabled_at', state === 'active' ? 'is' : 'is not', null)
  if (role === undefined) return users
  return users.where('users.id', 'in', (q) =>
    q
      .selectFrom('user_roles')
      .innerJoin('roles', 'roles.id', 'user_roles.role_id')
      .select('user_roles.user_id')
      .where('roles.name', '=', role),
  )
}

async function readAccounts(
  db: Db,
  chosen: Chosen,
  where: PageRequest = { page: 1, perPage: Number.MAX_SAFE_INTEGER },
): Promise<Page<TaggedAccount>> {
  const rows = await selectAccounts(db, chosen, where).execute()
  const ofAccounts = Map.groupBy(rows, ({ id }) => id)
  ofAccounts.delete(null) // the row of an empty page holds the total alone
  return { items: [...ofAccounts.values()].map(asAccount), total: rows[0]!.total }
}

/** A row for each class of each grant of each account; without accounts, one with the total alone. */
function selectAccounts(db: Db, chosen: Chosen, { page, perPage }: PageRequest) {
  const engine = engineOf(db)
  return db
    .with('chosen', (db) => chooseAccounts(db, engine, chosen))
    .with('page', (db) =>
      db
        .selectFrom('users')
        .select(['id', 'name', 'email', 'disabled_at', 'password_change_required', 'version', 'updated_at'])
        .where('id', 'in', (q) => q.selectFrom('chosen').select('chosen.id'))
        .orderBy('id')
        .limit(perPage)
        .offset((page - 1) * perPage),
    )
    .selectFrom((q) =>
      q
        .selectFrom('chosen')
        .select((q) => q.fn.countAll<number>().as('total'))
        .as('counted'),
    )
    .leftJoin('page', (join) => join.onTrue())
    .leftJoin('user_roles', 'user_roles.user_id', 'page.id')
    .leftJoin('roles', 'roles.id', 'user_roles.role_id')
    .leftJoin('user_role_classes', (join) =>
      join
        .onRef('user_role_classes.user_id', '=', 'user_roles.user_id')
        .onRef('user_role_classes.role_id', '=', 'user_roles.role_id'),
    )
    .selectAll('page')
    .select([
      'counted.total',
      'user_roles.role_id',
      'user_roles.all_classes',
      'roles.name as role',
      'roles.version as role_version',
      'roles.updated_at as role_updated_at',
      'user_role_classes.class_id',
    ])
    .orderBy('page.id')
    .orderBy('user_roles.role_id')
    .orderBy('user_role_classes.class_id')
}

type AccountRow = InferResult<ReturnType<typeof selectAccounts>>[number]

/** The tag also holds the roles' versions, for their names. */
function asAccount(rows: readonly AccountRow[]): TaggedAccount {
  const { id, name, email, disabled_at, password_change_required, version, updated_at } = rows[0]!
  const ofGrants = [...Map.groupBy(rows, ({ role_id }) => role_id).values()].filter(
    ([first]) => first!.role_id !== null,
  )
  const roles = ofGrants.map(([first]) => {
    return { version: first!.role_version!, updated_at: first!.role_updated_at! }
  })
  return {
    account: {
      id: id!,
      name: name!,
      email: email!,
      disabled: disabled_at !== null,
      password_change_required: password_change_required === 1,
      roles: ofGrants.map((ofGrant) => ({
        role_id: ofGrant[0]!.role_id!,
        role: ofGrant[0]!.role!,
        class_ids: ofGrant[0]!.all_classes ? null : ofGrant.flatMap(({ class_id }) => class_id ?? []),
      })),
      version: version!,
    },
    tag: entityTag([{ version: version!, updated_at: updated_at! }, ...roles]),
  }
}
