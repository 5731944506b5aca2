// Runs once, in a browser: what it shows does not depend on the engine. The schools are opened by openSchool. It takes minutes.
import { lookAt } from './console-screens/look-at.ts'
import { accounts, oneself, school } from './console-screens/office.ts'

for (const chapter of [school, accounts, oneself]) lookAt(chapter)
