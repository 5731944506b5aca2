// Runs once, in a browser: what it shows does not depend on the engine. The schools are opened by openSchool.

import { imports } from './console-screens/imports.ts'
import { lookAt } from './console-screens/look-at.ts'
import { printing } from './console-screens/print.ts'

// Words of these screens changed: they are looked at where it is asked for, until their waits follow.
if (process.env.TEST_SCREENS !== undefined) for (const chapter of [imports, printing]) lookAt(chapter)
