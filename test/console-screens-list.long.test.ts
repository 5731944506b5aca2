// Runs once, in a browser: what it shows does not depend on the engine. The schools are opened by openSchool. It takes minutes.
import { lookAt } from './console-screens/look-at.ts'
import { starting } from './console-screens/start.ts'
import { signingIn, studentList } from './console-screens/students.ts'
import { today } from './console-screens/today.ts'

for (const chapter of [signingIn, starting, today, studentList]) lookAt(chapter)
