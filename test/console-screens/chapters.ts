import { imports } from './imports.ts'
import { accounts, oneself, school } from './office.ts'
import { printing } from './print.ts'
import { newStudent, student } from './records.ts'
import { starting } from './start.ts'
import type { Chapter } from './state.ts'
import { signingIn, studentList } from './students.ts'
import { today } from './today.ts'

/** Every screen of the console in every state: each is looked at by axe, and has its picture in the docs. */
export const chapters: readonly Chapter[] = [
  signingIn,
  starting,
  today,
  studentList,
  student,
  newStudent,
  imports,
  printing,
  school,
  accounts,
  oneself,
]
