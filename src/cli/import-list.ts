import { type ImportState, importStates } from '../imports/model.ts'
import { everything } from '../imports/planning/basis.ts'
import { pageOfImports } from '../imports/queries.ts'
import { shownInList } from '../imports/showing/shown.ts'
import { Sight } from '../imports/sight.ts'
import { shown } from '../text/normalise.ts'
import { actorOf, readNumber } from './audit.ts'
import { type Command, UsageError } from './command.ts'
import { onDatabase } from './database.ts'
import { columns } from './usage.ts'

const mostShown = 1_000

/** How much of the name of a file is printed, in characters. */
const nameLength = 60

/** No account: of a command, all imports are seen. */
const nobody = 0

/** `import list` */
export const importList: Command = {
  name: 'import list',
  summary: 'List imports, the newest first: whoever sent them, by the API or by command',
  options: {
    state: { value: 'STATE', describe: `Only ${importStates.join(', ')}` },
    count: { value: 'NUMBER', describe: `How many at most: 1 to ${mostShown}; without it, 50` },
  },
  help: 'CREATE and CHANGE count rows of the plan, or of what was applied.\n\nExample: ./registrar.js import list --state applied',
  run: onDatabase(async (db, { options: { state, count = '50' } }) => {
    if (state !== undefined && !importStates.includes(state as ImportState))
      throw new UsageError(`--state must be one of ${importStates.join(', ')}.`)
    const where = { page: 1, perPage: readNumber('--count', count, mostShown) }
    const sight = new Sight(everything(), nobody)
    const asked = state === undefined ? {} : { state: state as ImportState }
    const { items, total } = await pageOfImports(db, sight, asked, where)
    const rows = items.map((one) => [
      ...[String(one.id), one.created_at.slice(0, 16).replace('T', ' '), one.state],
      actorOf(one),
      ...[one.counts?.create, one.counts?.change].map((rows) => String(rows ?? '')),
      shown(one.file_name ?? '', nameLength),
    ])
    const header = ['ID', 'SENT', 'STATE', 'BY', 'CREATE', 'CHANGE', 'FILE']
    return { data: { imports: items.map(shownInList), total }, text: columns([header, ...rows]) }
  }),
}
