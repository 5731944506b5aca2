import type { BoundValues } from '../asked.ts'
import type { GuardianQuery } from '../guardians.ts'

/** Selects the students who have the guardian, as `student_id`. */
export function foundByGuardian({ names, email, digits }: GuardianQuery, values: BoundValues): string {
  const conditions: string[] = []
  if (names.length > 0) conditions.push(names.map((name) => contains('names', name, values)).join(' and '))
  if (digits !== undefined) conditions.push(contains('digits', digits, values))
  if (email !== undefined) {
    const [from, to] = [values.bind(email), values.bind(`${email}\u007f`)]
    conditions.push(`email collate "C" >= ${from} and email collate "C" < ${to}`)
  }
  return conditions.map((one) => `select student_id from guardian_texts where ${one}`).join(' union ')
}

function contains(column: 'names' | 'digits', text: string, values: BoundValues): string {
  return `${column} like ${values.bind(`%${text.replace(/[\\%_]/g, '\\$&')}%`)}`
}
