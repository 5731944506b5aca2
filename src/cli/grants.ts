import { builtInRoles } from '../access/permissions.ts'
import type { Db } from '../db/tables.ts'
import type { Tx } from '../events/log.ts'
import { write } from '../events/write.ts'
import { deleteGrant, getRoleNamed, insertGrant } from '../roles/queries.ts'
import { getAccount } from '../users/accounts.ts'
import { getOrigin, type Origin } from '../users/origin.ts'
import { type Command, CommandError, type CommandInput, type CommandResult } from './command.ts'
import { instantNow, onDatabase } from './database.ts'
import { allOrFaults } from './fields.ts'
import { classOption, getNamedAccount, listOf, namesOf, readClasses } from './named.ts'
import { isAgreed, isAtTerminal } from './terminal.ts'

/** `user grant` */
export const grant: Command = {
  name: 'user grant',
  summary: 'Give an account a role, from its next request on',
  arguments: ['EMAIL', 'ROLE'],
  options: {
    ...classOption,
    yes: { describe: 'Do not ask whether it is the right account: needed where there is no terminal' },
  },
  help: `Tells when the account was made, and by whom or from which address it registered, and asks. Classes are added to those that it holds the role for.\n\n${rolesHelp('user grant')}`,
  run: onDatabase(async (db, input) => {
    const role = input.arguments[1]!
    const given = input.lists.class
    const [user, classIds] = await allOrFaults([
      () => getNamedAccount(db, input),
      async () => given && readClasses(db, given),
      () => getRoleNamed(db, role),
    ])
    const origin = await getOrigin(db, user.id)
    const told = `${user.email}: ${originText(origin)}, with the name ${JSON.stringify(user.name)}.`
    await requireAgreement(input, told, listOf([{ role, class_ids: classIds ?? null }]))
    const result = await changed(db, input, user, async (db) =>
      (await insertGrant(db, user.id, role, instantNow(), classIds))
        ? `now holds the role ${role}`
        : `holds the role ${role} already`,
    )
    return { ...result, data: { ...result.data, ...origin } }
  }),
}

/** `user revoke` */
export const revoke: Command = {
  name: 'user revoke',
  summary: 'Take a role from an account, from its next request on',
  arguments: ['EMAIL', 'ROLE'],
  help: rolesHelp('user revoke'),
  run: onDatabase(async (db, input) => {
    const role = input.arguments[1]!
    const user = await getNamedAccount(db, input)
    return changed(db, input, user, async (db) =>
      (await deleteGrant(db, user.id, role, instantNow()))
        ? `no longer holds the role ${role}`
        : `did not hold the role ${role}`,
    )
  }),
}

function rolesHelp(command: string): string {
  return `The built-in roles: ${Object.keys(builtInRoles).join(', ')}; ./registrar.js role list lists all.\n\nExample: ./registrar.js ${command} ben@school.example viewer`
}

/** An address that a stranger registered first must not be granted blindly. @throws CommandError without a yes */
async function requireAgreement({ flags }: CommandInput, told: string, role: string): Promise<void> {
  if (flags.has('yes')) {
    if (!flags.has('json')) console.error(told)
    return
  }
  if (!isAtTerminal())
    throw new CommandError(
      `${told} Nothing was changed, since nobody is here to say whether this is the right account. If it is, add --yes.`,
    )
  console.log(told)
  if (!(await isAgreed(`Grant it the role ${role}?`))) throw new CommandError('Nothing was changed.')
}

/** `registered from the address 192.0.2.1 on 2026-09-01 08:00 UTC` */
function originText({ created_at, created_by }: Origin): string {
  const at = `on ${created_at.slice(0, 16).replace('T', ' ')} UTC`
  if (created_by === null) return `made ${at}, by whom or from where is not known`
  const { kind, name } = created_by
  return kind === 'address'
    ? `registered from the address ${name} ${at}`
    : `made by the ${kind} ${name} ${at}`
}

async function changed(
  db: Db,
  { by }: CommandInput,
  { id, email }: { id: number; email: string },
  change: (tx: Tx) => Promise<string>,
): Promise<CommandResult & { data: object }> {
  return write(db, by, async (db) => {
    const outcome = await change(db)
    const { roles } = (await getAccount(db, id)).account
    return {
      data: { id, email, roles: namesOf(roles), grants: roles },
      text: `${email} ${outcome}; it holds: ${listOf(roles) || 'none'}.`,
    }
  })
}
