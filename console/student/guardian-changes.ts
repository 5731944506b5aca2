import type { Guardian } from '../../client/src/index.ts'
import { listedApart, t } from '../language/language.ts'
import { guardianFields } from './form.ts'

/** What of a guardian changed, or that there is one more or one fewer. */
interface GuardianChange {
  readonly label: string
  readonly gone: string
  readonly come: string
}

/** What of the guardians changed, a field at a time: they are known by their names. */
export function guardianChanges(from: unknown, to: unknown): GuardianChange[] {
  const [before, after] = [(from ?? []) as Guardian[], (to ?? []) as Guardian[]]
  const namesakeIn = (others: readonly Guardian[], { name }: Guardian) =>
    others.find((one) => one.name === name)
  const fields = after.flatMap((guardian) => {
    const old = namesakeIn(before, guardian)
    if (old === undefined) return []
    return guardianFields
      .filter((name) => (old[name] ?? '') !== (guardian[name] ?? ''))
      .map((name) => ({
        label: `${guardian.name}, ${t().fields[name]}`,
        gone: old[name] ?? '',
        come: guardian[name] ?? '',
      }))
  })
  const label = t().fields.guardians
  const textOf = (guardian: Guardian) => listedApart(guardianFields.flatMap((name) => guardian[name] || []))
  const left = before.filter((guardian) => namesakeIn(after, guardian) === undefined).map(textOf)
  const came = after.filter((guardian) => namesakeIn(before, guardian) === undefined).map(textOf)
  if (left.length + came.length === 0) return fields
  return [...fields, { label, gone: left.join('; '), come: came.join('; ') }]
}
