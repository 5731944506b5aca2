import { texts } from './texts.ts'

/** The first that fits: later browsers call themselves by the names of earlier ones too. */
const browsers = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Firefox', /(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS)\//],
  ['Safari', /Safari\//],
] as const

const systems = [
  ['Windows', /Windows/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux|X11/],
] as const

/** What a session was made with, in words: by its `User-Agent`, or that itself where it is no browser's. */
export function deviceOf(client: string | null): string {
  if (client === null) return texts().unknown
  const browser = browsers.find(([, sign]) => sign.test(client))?.[0]
  const system = systems.find(([, sign]) => sign.test(client))?.[0]
  if (browser === undefined) return client
  return system === undefined ? browser : texts().on(browser, system)
}
