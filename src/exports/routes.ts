import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/authority.ts'
import { callerOf, requires } from '../access/guard.ts'
import type { App } from '../http/context.ts'
import type { SheetFormat } from '../sheets/sheet.ts'
import type { ListQuery } from '../students/list-query.ts'
import type { StudentParts } from '../students/routes.ts'
import { type LoggedExport, logCount, logExport } from './export-log.ts'
import { exportedList } from './exported-list.ts'
import type { HeadingLanguage } from './headings.ts'
import { nameFile } from './name-file.ts'
import * as schema from './schema.ts'
import { beginFile, type Source, type StudentsFile } from './students-file.ts'
import { Turns } from './turns.ts'
import { whileTaken } from './while-taken.ts'

/** The limits of exports. */
export interface ExportLimits {
  readonly atOnce: number
  readonly maxWaitMs: number
  /** How long a client may leave a slice untaken, in milliseconds. */
  readonly stallMs: number
}

export const usualLimits: ExportLimits = { atOnce: 2, maxWaitMs: 10_000, stallMs: 30_000 }

type ExportParts = StudentParts & { readonly limits?: ExportLimits }

const guard = requires('students.export', { besides: 'students.sensitive' })

/** What a route exports. */
interface Asked {
  readonly format: SheetFormat
  readonly query: ListQuery
  /** Of the headings. */
  readonly language: HeadingLanguage | undefined
}

export function exportRoutes(app: App, { db, clock, lists, limits = usualLimits }: ExportParts): void {
  const turns = new Turns(limits.atOnce, limits.maxWaitMs)
  const ending = new Set<Promise<void>>()
  app.addHook('onClose', async () => void (await Promise.all(ending)))

  async function answer(request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<never> {
    const { format, query } = asked
    const caller = callerOf(request)
    const listNow = await exportedList(db, query, () => caller.readmit(db, clock().toISOString()))
    const isHead = request.method === 'HEAD'
    if (isHead) await listNow()
    const file = isHead ? Readable.from([]) : await begin(reply, caller, listNow, asked)
    nameFile(reply, format, `students-${clock().toISOString().slice(0, 10)}`)
    return file as never
  }

  /** Begins a file. When it is closed, another may begin; whole or not, the log is told of its end. */
  async function begin(
    { raw }: FastifyReply,
    caller: Caller,
    listNow: Source['listNow'],
    { format, query, language }: Asked,
  ): Promise<Readable> {
    const log = { format: format.type, query }
    const endTurn = await turns.take()
    try {
      const file = await beginFile({ db, lists, listNow }, format, language)
      const id = await logExport(db, caller, log, clock().toISOString())
      async function* withEnd() {
        yield* whileTaken(file, raw, limits.stallMs)
        await noteEnd(id, log, file)
      }
      return Readable.from(withEnd()).once('close', () => {
        endTurn()
        if (!file.isWhole) void noteEnd(id, log, file)
      })
    } catch (error) {
      endTurn()
      throw error
    }
  }

  async function noteEnd(id: number, log: LoggedExport, file: StudentsFile): Promise<void> {
    const noted = logCount(db, id, log, file).catch((error: Error) =>
      app.log.error({ change_set: id, fault: error.message }, 'the end of an export was not logged'),
    )
    ending.add(noted)
    await noted
    ending.delete(noted)
  }

  app.get('/api/students.csv', { schema: schema.getStudentsCsv, config: guard }, async (request, reply) => {
    const { delimiter = ',', bom = 'on', headings: language, ...query } = request.query
    const format = { type: 'csv', delimiter, bom: bom === 'on' } as const
    return answer(request, reply, { format, query, language })
  })

  app.get('/api/students.xlsx', { schema: schema.getStudentsXlsx, config: guard }, async (request, reply) => {
    const { headings: language, ...query } = request.query
    return answer(request, reply, { format: { type: 'xlsx' }, query, language })
  })
}
