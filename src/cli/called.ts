import { basename, dirname } from 'node:path'

/** How messages and help write a call, wherever they stand in the source. */
const written = './registrar.js'

/** How this program was called: the path of its file, the folder, and the npm script if npm runs it. */
export interface Call {
  readonly script: string
  readonly folder: string
  readonly npmScript: string | undefined
}

/** The text with every call in it as its reader can type it: `registrar user list`, `npm start -- --port 4000`. */
export function asCalled(text: string, { script, folder, npmScript }: Call): string {
  const serving = npmScript === 'start' ? text.replaceAll(`${written} serve`, 'npm start --') : text
  const byNpm = npmScript === 'demo' ? serving.replaceAll(`${written} demo`, 'npm run demo --') : serving
  return byNpm.replaceAll(written, nameOf(script, folder))
}

/** A name without an ending is that of a link on the path, as npm makes it. */
function nameOf(script: string, folder: string): string {
  const name = basename(script)
  if (!name.endsWith('.js')) return name
  return dirname(script) === folder ? `./${name}` : script
}
