/** How long after a signal another one counts as the same, in milliseconds: the launcher passes signals on. */
export const sameSignalMs = 1_000

const endings = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** A signal is to end the process. */
class SignalError extends Error {
  override readonly name = 'SignalError'
}

/** A process that is paused amid a write to a SQLite file keeps all others from writing. */
const refusePause = () =>
  console.error("It can't be paused: others could not write meanwhile. Ctrl-C ends it.")

/**
 * Does work that a signal interrupts: the work is told, leaves things in order, and throws what it was told. Then the
 * process ends by that signal. A second signal ends it at once. Ctrl-Z does not pause it.
 */
export async function untilSignal<Result>(work: (ending: AbortSignal) => Promise<Result>): Promise<Result> {
  const ending = new AbortController()
  let since = 0
  const onSignal = (signal: NodeJS.Signals) => {
    if (!ending.signal.aborted) {
      since = performance.now()
      console.error('Ending; nothing is left half done. Once more ends at once.')
      ending.abort(new SignalError(signal))
    } else if (performance.now() - since > sameSignalMs) endBy(signal)
  }
  const ignoreSignals = () => {
    for (const signal of endings) process.off(signal, onSignal)
    process.off('SIGTSTP', refusePause)
  }
  const endBy = (signal: string) => {
    ignoreSignals()
    process.kill(process.pid, signal)
  }
  for (const signal of endings) process.on(signal, onSignal)
  process.on('SIGTSTP', refusePause)
  try {
    return await work(ending.signal)
  } catch (error) {
    if (error instanceof SignalError) endBy(error.message)
    throw error
  } finally {
    ignoreSignals()
  }
}
