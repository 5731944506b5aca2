import { signal } from '@preact/signals'
import type { Problem } from '../../client/src/index.ts'

/** Why a call brought nothing: what the server says of it, or no connection. */
export type Failure =
  | {
      readonly is: 'problem'
      readonly problem: Problem
      /** After how many seconds the server takes it again, where it says so. */
      readonly waitSeconds?: number
    }
  | { readonly is: 'offline' }

/** What came of a call. */
export type Outcome<Data> =
  | { readonly is: 'done'; readonly data: Data; readonly tag: string }
  | { readonly is: 'failed'; readonly failure: Failure }

/** What a function of the generated client promises. */
interface Answered<Data> {
  readonly data?: Data | undefined
  readonly error?: unknown
  readonly response?: Response | undefined
}

/** Whether the last call found no server. */
export const isOffline = signal(false)

/** Told when the server knows the session no longer. */
export const sessionEnd: { onEnd: () => void } = { onEnd: () => {} }

/** Longer waits are the reader's to decide on. */
const longestWaitSeconds = 5
const mostTries = 3

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/**
 * Calls, and calls again where the server says after how many seconds: send nothing that may not be sent twice.
 * @param given what gives the call up: its answer is not waited for
 */
export async function call<Data>(
  send: () => Promise<Answered<Data>>,
  given?: AbortSignal,
): Promise<Outcome<Data>> {
  for (let tries = 1; ; tries++) {
    const answered = await send().catch((): Answered<Data> => ({}))
    const { data, error, response } = answered
    if (response === undefined) {
      if (!given?.aborted) isOffline.value = true
      return { is: 'failed', failure: { is: 'offline' } }
    }
    isOffline.value = false
    if (response.ok && data !== undefined)
      return { is: 'done', data, tag: response.headers.get('etag') ?? '' }
    const problem = problemOf(error, response)
    const wait = Number(response.headers.get('retry-after'))
    const isBusy = response.status === 503 || response.status === 429
    if (isBusy && wait > 0 && wait <= longestWaitSeconds && tries < mostTries) {
      await pause(wait)
      continue
    }
    if (problem.code === 'token_invalid' || problem.code === 'token_missing') sessionEnd.onEnd()
    return {
      is: 'failed',
      failure: { is: 'problem', problem, ...(isBusy && wait > 0 && { waitSeconds: wait }) },
    }
  }
}

/** How many saves wait for the connection. */
export const waitingSaves = signal(0)

const againSeconds = 3

/** Waits a little, or until the browser says that it is connected, or until it is given up. */
function untilNextTry(given: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      given.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, againSeconds * 1000)
    addEventListener('online', end)
    given.addEventListener('abort', end)
  })
}

/**
 * Saves, and where there is no connection waits and sends again: send nothing that may not be sent twice.
 * @param given what gives it up
 */
export async function patiently<Came>(
  send: () => Promise<Came>,
  isOfflineIn: (came: Came) => boolean,
  given: AbortSignal,
): Promise<Came> {
  let came = await send()
  if (!isOfflineIn(came)) return came
  waitingSaves.value++
  try {
    while (isOfflineIn(came) && !given.aborted) {
      await untilNextTry(given)
      if (!given.aborted) came = await send()
    }
  } finally {
    waitingSaves.value--
  }
  return came
}

/** A proxy's answer is no problem of ours, and says nothing that could be shown. */
function problemOf(error: unknown, { status, headers }: Response): Problem {
  if (typeof error === 'object' && error !== null && 'code' in error) return error as Problem
  const detail = `${status}`
  const request_id = headers.get('x-request-id') ?? ''
  return {
    success: false,
    type: '',
    title: detail,
    status,
    detail,
    message: detail,
    code: 'internal_error',
    request_id,
  }
}

/** The code of a problem; undefined where there is no connection. */
export const codeOf = (failure: Failure) => (failure.is === 'problem' ? failure.problem.code : undefined)
