import { childColumns } from '../student/child-fields.ts'

/* What the server takes a column of students to mean. A test holds it to what the server does. */

/** In the order in which they are offered. */
export const studentColumns: readonly string[] = [...childColumns, 'id', 'class_id']
export const guardianParts: readonly string[] = ['name', 'relation', 'phone', 'email', 'address', 'note']
export const mostGuardians = 10
/** How long the name of another system is at the most, in characters. */
export const longestSystem = 50
