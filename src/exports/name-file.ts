import type { FastifyReply } from 'fastify'
import type { SheetFormat } from '../sheets/sheet.ts'
import { mediaTypes } from './schema.ts'

/** Says that the answer is a file of rows, to be saved under this name. @param name without its ending */
export function nameFile(reply: FastifyReply, { type }: SheetFormat, name: string): void {
  reply.type(type === 'csv' ? `${mediaTypes.csv}; charset=utf-8` : mediaTypes.xlsx)
  reply.header('Content-Disposition', `attachment; filename="${name}.${type}"`)
}
