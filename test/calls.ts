import assert from 'node:assert/strict'
import { password } from './command.ts'
import type { ServerProcess } from './server.ts'

/** What a call carries. */
export interface Calling {
  readonly token?: string
  readonly body?: unknown
  /** The version that is changed, as an entity tag; `*`: whichever there is. */
  readonly match?: string
}

/** An answer of a server process. */
export interface CallAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries
  readonly body: any
}

/** Calls a server process over the network. */
export async function call(
  { url }: Pick<ServerProcess, 'url'>,
  method: string,
  path: string,
  { token, body, match }: Calling = {},
): Promise<CallAnswer> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(match !== undefined && { 'if-match': match }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

/** Changes a record whatever its version, as somebody else would. */
export async function changeAt(
  server: Pick<ServerProcess, 'url'>,
  token: string,
  path: string,
  body: object,
  method: 'PATCH' | 'PUT' = 'PATCH',
): Promise<void> {
  const answer = await call(server, method, path, { token, body, match: '*' })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

/** Makes a record. @returns its id */
export async function makeAt(
  server: Pick<ServerProcess, 'url'>,
  token: string,
  path: string,
  body: object,
): Promise<number> {
  const answer = await call(server, 'POST', path, { token, body })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data.id
}

/** Reads the newest import in a state. @returns it as it is shown */
export async function newestImportAt(server: Pick<ServerProcess, 'url'>, token: string, state: string) {
  const listed = await call(server, 'GET', `/api/imports?state=${state}&per_page=1`, { token })
  return (await call(server, 'GET', `/api/imports/${listed.body.data[0].id}`, { token })).body.data
}

/** Logs in at a server process. @returns the token */
export async function logInAt(
  server: Pick<ServerProcess, 'url'>,
  email: string,
  withPassword = password,
): Promise<string> {
  const { status, body } = await call(server, 'POST', '/api/auth/login', {
    body: { email, password: withPassword },
  })
  if (status !== 200) throw new Error(`login: ${status} ${body.code}`)
  return body.data.token
}

/** Creates a student at a server process. */
export function createStudentAt(
  server: Pick<ServerProcess, 'url'>,
  token: string,
  admissionNumber: string,
): Promise<CallAnswer> {
  const body = { name: 'Ada Lovelace', admission_number: admissionNumber, class_id: 1 }
  return call(server, 'POST', '/api/students', { token, body })
}
