import type { FastifyReply, FastifyRequest } from 'fastify'
import { listsTag } from '../http/conditions.ts'
import type { Access, App } from '../http/context.ts'
import { routeNotFound } from '../http/errors.ts'
import { Type } from '../http/json-schema.ts'
import { acceptsPage } from '../http/requests.ts'
import type { BundleFile } from './bundle.ts'
import type { Console } from './console.ts'
import { absentPage, contentSecurityPolicy, filesPath, startingPage, startingScript } from './pages.ts'

/** How long a page that is not there yet is away, in seconds. */
const startingSeconds = 1
const absentSeconds = 60

/** Serves the console: the page at `/`, and its files under `filesPath`. `/` leads who wants no page to the reference. */
export function consoleRoutes(app: App, access: { access: Access }, console: Console): void {
  app.get('/', { schema: { hide: true }, config: access }, async (request, reply) => {
    reply.header('Vary', 'Accept')
    return acceptsPage(request.raw) ? sendPage(request, reply, console) : reply.redirect('/api/docs')
  })
  const schema = { hide: true, params: Type.Object({ file: Type.String({ maxLength: 100 }) }) }
  app.get(`${filesPath}/:file`, { schema, config: access }, async (request, reply) => {
    const { state } = console
    if (request.params.file === startingScript.name)
      return reply.type('text/javascript; charset=utf-8').send(startingScript.text)
    const file = state.is === 'ready' ? state.bundle.files.get(request.params.file) : undefined
    if (file === undefined) throw routeNotFound()
    return sendFile(request, reply, file)
  })
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { state }: Console): FastifyReply {
  reply.type('text/html; charset=utf-8').header('Content-Security-Policy', contentSecurityPolicy)
  if (state.is === 'starting')
    return reply.code(503).header('Retry-After', startingSeconds).send(startingPage)
  if (state.is === 'absent')
    return reply.code(503).header('Retry-After', absentSeconds).send(absentPage(state.why))
  const { page, tag } = state.bundle
  reply.header('Cache-Control', 'no-cache').header('ETag', tag)
  const known = request.headers['if-none-match']
  if (known !== undefined && listsTag(known, tag, 'weak')) return reply.code(304).send()
  return reply.send(page)
}

/** Its name changes with its content: browsers keep it for as long as they like. */
function sendFile(request: FastifyRequest, reply: FastifyReply, file: BundleFile): FastifyReply {
  const type = file.name.endsWith('.css') ? 'text/css' : 'text/javascript'
  reply
    .type(`${type}; charset=utf-8`)
    .header('Cache-Control', 'public, max-age=31536000, immutable')
    .header('Vary', 'Accept-Encoding')
  const accepted = request.headers['accept-encoding'] ?? ''
  const coding = (['br', 'gzip'] as const).find((one) => takesCoding(String(accepted), one))
  if (coding === undefined) return reply.send(file.plain)
  return reply.header('Content-Encoding', coding).send(file[coding])
}

/** Whether a header lists a coding, and not with a weight of 0 (RFC 9110 §12.5.3). */
function takesCoding(header: string, coding: string): boolean {
  return header
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .some(([name, weight]) => name === coding && !/^q=0(\.0*)?$/.test(weight ?? ''))
}
