// Runs once, in a browser: what it shows does not depend on the engine. The schools are opened by openSchool. It takes minutes.
import { imports } from './console-screens/imports.ts'
import { lookAt } from './console-screens/look-at.ts'
import { printing } from './console-screens/print.ts'

for (const chapter of [imports, printing]) lookAt(chapter)
