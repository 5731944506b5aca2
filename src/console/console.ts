import { join } from 'node:path'
import { type Bundle, type BundleFile, bundleOf, filesIn, keptFiles } from './bundle.ts'
import { cacheFolder, packedBundle, sourceKey } from './sources.ts'

/** What there is of the console: nothing yet, all of it, or a sentence on why there is none. */
type ConsoleState =
  | { readonly is: 'starting' }
  | { readonly is: 'ready'; readonly bundle: Bundle }
  | { readonly is: 'absent'; readonly why: string }

/** Why a build failed, for the log. */
class BuildError extends Error {}

interface ConsoleParts {
  /** Told when there is no console, and why: for the log. */
  readonly onAbsent: (fault: string) => void
  /** After how long without use the console is locked. */
  readonly idleMinutes: number
  /** Where bundles are kept. */
  readonly cache?: string
  /** The program that builds. */
  readonly builder?: string
}

/** The console of a server: packed with it, kept by an earlier start, or else built by a process of its own. */
export class Console {
  readonly #parts: Required<ConsoleParts>
  readonly #stopped = new AbortController()
  #state: ConsoleState = { is: 'starting' }

  constructor(parts: ConsoleParts) {
    this.#parts = { cache: cacheFolder, builder: join(import.meta.dirname, 'build.ts'), ...parts }
  }

  get state(): ConsoleState {
    return this.#state
  }

  /** Finds or builds it. Call when the server listens, which it is not to hold up. */
  async start(): Promise<void> {
    const { cache, onAbsent, idleMinutes } = this.#parts
    try {
      const files =
        (await filesIn(packedBundle)) ?? (await keptFiles(cache, await sourceKey())) ?? (await this.#build())
      this.#state = { is: 'ready', bundle: bundleOf(files, idleMinutes) }
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      const fault = (error as Error).message
      this.#state = { is: 'absent', why: reasonOf(fault) }
      onAbsent(fault)
    }
  }

  /** Ends what is under way. */
  stop(): void {
    this.#stopped.abort()
  }

  async #build(): Promise<readonly BundleFile[]> {
    const { cache, builder } = this.#parts
    const [{ fork }, { text }] = await Promise.all([
      import('node:child_process'),
      import('node:stream/consumers'),
    ])
    const child = fork(builder, [cache], {
      execArgv: [],
      serialization: 'advanced',
      signal: this.#stopped.signal,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let files: readonly BundleFile[] | undefined
    child.on('message', (message) => (files = message as readonly BundleFile[]))
    const ended = new Promise<void>((resolve, reject) =>
      child.on('error', reject).on('close', () => resolve()),
    )
    const [said] = await Promise.all([text(child.stderr!), ended])
    if (files === undefined) throw new BuildError(said.trim() || 'the builder ended without a word')
    return files
  }
}

/** A sentence for visitors, which tells nothing of the machine. */
function reasonOf(fault: string): string {
  if (/ENOENT.*scandir/.test(fault)) return 'its source is not on this machine.'
  if (/ERR_MODULE_NOT_FOUND|could not be found, and is needed by esbuild|for another platform/.test(fault))
    return 'esbuild, which builds it, is not installed here.'
  return "it could not be built. The server's log tells why."
}
