// Runs once, in a browser: what it shows does not depend on the engine. The schools are opened by openSchool. It takes minutes.
import { lookAt } from './console-screens/look-at.ts'
import { newStudent, student } from './console-screens/records.ts'

for (const chapter of [student, newStudent]) lookAt(chapter)
