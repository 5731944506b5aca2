import { extname } from 'node:path'
import { logCount, logExport } from '../exports/export-log.ts'
import { exportedList } from '../exports/exported-list.ts'
import { beginFile } from '../exports/students-file.ts'
import type { SheetFormat } from '../sheets/sheet.ts'
import { openStudentLists } from '../students/lists/lists.ts'
import { type Command, CommandError } from './command.ts'
import { instantNow, onDatabase } from './database.ts'
import { checkNewFile, writeNewFile } from './new-file.ts'

/** Its file holds all that there is: as many as have room in a sheet, which has 16 384 columns. */
const mostSystems = 16_000

/** `export` */
export const exportCommand: Command = {
  name: 'export',
  summary: 'Write all students into a new CSV or XLSX file',
  arguments: ['FILE'],
  help: 'FILE ends in .csv or .xlsx, and must not exist. It holds every field of every student, and is kept from other users of the machine. The log of changes tells of the export.',
  run: onDatabase(async (db, input) => {
    const file = input.arguments[0]!
    const format = formatOf(file)
    checkNewFile(file)
    const lists = openStudentLists(db)
    const log = { format: format.type, query: {} }
    const listNow = await exportedList(db, {})
    const students = await beginFile({ db, lists, listNow, mostSystems }, format)
    const id = await logExport(db, input.by, log, instantNow())
    try {
      await writeNewFile(file, students)
    } finally {
      lists.close()
      await logCount(db, id, log, students)
    }
    const { count } = students
    const noun = count === 1 ? 'student' : 'students'
    return { data: { file, students: count }, text: `Exported ${count} ${noun} to ${file}.` }
  }),
}

/** @throws CommandError */
function formatOf(file: string): SheetFormat {
  const ending = extname(file).toLowerCase()
  if (ending === '.csv') return { type: 'csv', delimiter: ',', bom: true }
  if (ending === '.xlsx') return { type: 'xlsx' }
  throw new CommandError(`The name of the file must end in .csv or .xlsx, and ${file} does not.`)
}
