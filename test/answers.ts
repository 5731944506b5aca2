import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type FieldFault, faultTable, problemTable } from '../src/problems.ts'
import { textFormats } from '../src/text/formats.ts'
import { isPrintable } from '../src/text/normalise.ts'
import { resolved } from './described.ts'
import type { Answer } from './school.ts'

/** Checks one answer: throws when it isn't what the OpenAPI document promises. */
export type AnswerCheck = (method: string, url: string, answer: Answer) => void

interface Listed {
  readonly $ref?: string
  readonly headers?: Record<string, object>
  readonly content?: Record<string, object>
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Listed> }>>
}

/** Headers that some answers of a status have: the document lists them, and does not require them. */
const sometimesSent = ['Accept', 'Accept-Patch', 'Accept-Encoding', 'WWW-Authenticate']

/** Makes the check of every answer in the test suite: headers, media type, and body by the app's own OpenAPI document. */
export function checkAnswersAgainst(described: object): AnswerCheck {
  const document = described as Document
  const ajv = new Ajv2020({ strict: false, allErrors: true, meta: false, validateSchema: false })
  for (const [name, { accepts }] of Object.entries(textFormats)) {
    // A record of an earlier version may hold what is refused today.
    const isKept = ['person-name', 'admission-number', 'role-name', 'class-label'].includes(name)
    ajv.addFormat(name, { type: 'string', validate: isKept ? isPrintable : accepts })
  }
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  ajv.addSchema(document, 'openapi')
  const validators = new Map<string, ValidateFunction>()
  const paths = Object.keys(document.paths).sort(
    (one, other) => Number(one.includes('{')) - Number(other.includes('{')),
  )
  const templates = paths.map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))

  return (method, url, answer) => {
    checkHeaders(answer)
    if (answer.status >= 400 && answer.body !== undefined && answer.body.status !== 'unhealthy')
      checkProblem(answer)
    const path = templates.find(({ pattern }) => pattern.test(url.split('?')[0]!))?.path
    const operation = path === undefined ? undefined : document.paths[path]![method.toLowerCase()]
    if (path === undefined || operation === undefined) return
    const response = operation.responses[String(answer.status)]
    assert.ok(response, `${method} ${path} answered ${answer.status}, which the document does not list`)
    const listed = resolved(document, response)
    for (const header of ['ETag', 'Link', 'Location', 'Retry-After', 'X-Request-Id']) {
      const isSent = answer.headers[header.toLowerCase()] !== undefined
      assert.equal(header in (listed.headers ?? {}), isSent, `${method} ${path} ${answer.status}: ${header}`)
    }
    for (const header of sometimesSent) {
      const isSent = answer.headers[header.toLowerCase()] !== undefined
      assert.ok(!isSent || header in (listed.headers ?? {}), `${method} ${path} ${answer.status}: ${header}`)
    }
    if (answer.status === 304) return
    const mediaType = String(answer.headers['content-type']).split(';')[0]!
    const promised = listed.content?.[mediaType]
    assert.ok(
      promised,
      `${method} ${path} answered ${answer.status} ${mediaType}, which the document does not list`,
    )
    if (answer.body === undefined) return
    const at = response.$ref ?? pointerTo(['paths', path, method.toLowerCase(), 'responses', answer.status])
    const schema = `openapi${at}/${pointerTo(['content', mediaType, 'schema']).slice(2)}`
    const validate = validators.get(schema) ?? ajv.compile({ $ref: schema })
    validators.set(schema, validate)
    assert.ok(validate(answer.body), `${method} ${path}: ${ajv.errorsText(validate.errors)}\n${answer.text}`)
  }
}

/** A JSON Pointer as a fragment (RFC 6901 §6). */
function pointerTo(path: readonly (string | number)[]): string {
  const parts = path.map((part) =>
    encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')),
  )
  return `#/${parts.join('/')}`
}

function checkHeaders({ headers }: Answer): void {
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/)
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
  assert.equal(headers.server, undefined)
}

function checkProblem({ status, headers, body }: Answer): void {
  assert.match(String(headers['content-type']), /^application\/problem\+json/)
  assert.equal(body.success, false)
  assert.equal(body.status, status)
  assert.equal(body.message, body.detail)
  assert.equal(body.request_id, headers['x-request-id'])
  const [listedStatus, title] = problemTable[body.code as keyof typeof problemTable]
  assert.deepEqual([status, body.title], [listedStatus, title])
  for (const { code, params = {} } of (body.errors ?? []) as FieldFault[])
    assert.deepEqual(Object.keys(params), faultTable[code], `params of ${code}`)
  if (status === 401) assert.match(String(headers['www-authenticate']), /^Bearer /)
  if (status === 429 || status === 503) assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
}
