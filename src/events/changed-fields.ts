import type { ChangedFields } from './log.ts'

type Values = Readonly<Partial<Record<string, unknown>>>

/**
 * Which of these fields differ before a change and after it, in this order. A field that is left out is null; of a
 * record that comes or goes, all are.
 */
export function changedFields(
  names: readonly string[],
  before: object | undefined,
  after: object | undefined,
): ChangedFields {
  const [from, to]: Values[] = [{ ...before }, { ...after }]
  const fields = names.map((name) => [name, [from![name] ?? null, to![name] ?? null]] as const)
  return Object.fromEntries(fields.filter(([, [was, is]]) => JSON.stringify(was) !== JSON.stringify(is)))
}
