import { write } from '../events/write.ts'
import { maxAddressLength, maxSchoolNameLength } from '../school/lengths.ts'
import { nameOrders } from '../school/name-order.ts'
import { getSchool, lockSchool, type School, shownSchool, updateSchool } from '../school/queries.ts'
import { type Command, CommandError, type CommandInput, type CommandResult, UsageError } from './command.ts'
import { instantNow, onDatabase } from './database.ts'
import { allOrFaults, readText } from './fields.ts'
import { columns } from './usage.ts'

const show: Command = {
  name: 'school show',
  summary: "Show the school's name, address, time zone and order of names",
  run: onDatabase(async (db) => resultOf(await getSchool(db))),
}

const options = {
  name: { value: 'NAME', describe: 'Its name' },
  address: { value: 'ADDRESS', describe: 'Its address; line breaks are kept' },
  'time-zone': { value: 'ZONE', describe: 'Its time zone by the IANA name, such as Europe/Berlin' },
  'name-order': {
    value: 'ORDER',
    describe: `How names are joined from their parts: ${nameOrders.join(', ')}`,
  },
}

const set: Command = {
  name: 'school set',
  summary: "Change the school's name, address, time zone or order of names",
  options,
  help: 'An empty NAME or ADDRESS takes it away.\n\nExample: ./registrar.js school set --name Lindenschule --time-zone Europe/Berlin',
  run: onDatabase(async (db, input) => {
    const patch = await readPatch(input)
    const school = await write(
      db,
      input.by,
      async (tx) => updateSchool(tx, await getSchool(tx), patch, instantNow()),
      lockSchool,
    )
    return resultOf(school)
  }),
}

/** What the options give. @throws UsageError when there are none, CommandError that tells all that is wrong */
async function readPatch({ options: given }: CommandInput): Promise<Partial<School>> {
  const { name, address, 'time-zone': zone, 'name-order': order } = given
  const names = Object.keys(options)
  if (names.every((name) => given[name] === undefined))
    throw new UsageError(`One of ${names.map((name) => `--${name}`).join(', ')} is needed.`)
  const members = await allOrFaults([
    async () => name !== undefined && { name: orNone('The name', 'school-name', maxSchoolNameLength, name) },
    async () =>
      address !== undefined && {
        address: orNone('The address', 'text-in-lines', maxAddressLength, address),
      },
    async () => zone !== undefined && { time_zone: readText('The time zone', 'time-zone', 100, zone) },
    async () => order !== undefined && { name_order: readOrder(order) },
  ])
  return Object.assign({}, ...members)
}

/** A text, or null for an empty one. */
const orNone = (...[what, format, maxLength, given]: Parameters<typeof readText>) =>
  given.trim() === '' ? null : readText(what, format, maxLength, given)

function readOrder(given: string): School['name_order'] {
  const order = nameOrders.find((one) => one === given)
  if (order !== undefined) return order
  throw new CommandError(`The order of names must be one of ${nameOrders.join(', ')}.`)
}

function resultOf(school: School): CommandResult {
  const { name, address, time_zone, name_order } = shownSchool(school)
  const rows = [
    ['Name', name ?? 'not set'],
    ['Address', address?.replaceAll('\n', ', ') ?? 'not set'],
    ['Time zone', time_zone],
    ['Order of names', name_order],
  ]
  return { data: shownSchool(school), text: columns(rows) }
}

/** `school show|set` */
export const schoolCommands: readonly Command[] = [show, set]
