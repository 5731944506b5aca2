import type { Authority } from '../../access/authority.ts'
import { denied } from '../../access/denials.ts'
import type { Permission } from '../../access/permissions.ts'
import type { Field } from '../../fields/queries.ts'
import { isSensitive, openFieldsOf } from '../cells/flat-student.ts'
import { mapFile } from '../columns/file-columns.ts'
import type { Answer, ImportRow } from '../model.ts'
import { kindOfAnswer } from '../questions/answer-rules.ts'

/**
 * In an import that somebody else made, no answer may bring cells to where its reader sees them. These are columns that
 * are not sensitive, and classes of which they see more.
 * @param authority of who answers @param fields the school's own
 * @throws Problem permission_denied
 */
export function checkShowsNoMore(
  before: ImportRow,
  answers: Readonly<Record<string, Answer | null>>,
  authority: Authority,
  fields: readonly Field[],
): void {
  const { kind, facts, settings } = before
  const changed = Object.keys(answers).filter((key) => answers[key] !== (settings[key] ?? null))
  if (kind !== 'students' || changed.length === 0) return
  const [views, sensitive] = ['students.view', 'students.sensitive'].map((one) => authority.scopeOf(one))
  const openFields = openFieldsOf(fields)
  const columns = mapFile(before, fields)
  const open = columns.filter(({ column }) => typeof column === 'string' && !isSensitive(column, openFields))
  const openHeadings = new Set(open.map(({ heading }) => heading))
  const hidesNothing = sensitive === 'all' || (facts !== null && open.length === columns.length)
  const lackingFor = (key: string): Permission | undefined => {
    const decides = kindOfAnswer(key)?.decides
    if (decides === 'new values') return undefined
    if (views !== 'all') return 'students.view'
    const isOfOpen = decides === 'a column' && openHeadings.has(key.slice(key.indexOf('.') + 1))
    const showsNothing = sensitive === undefined && (decides === 'whose a row is' || isOfOpen)
    return hidesNothing || showsNothing ? undefined : 'students.sensitive'
  }
  for (const key of changed) {
    const permission = lackingFor(key)
    if (permission === undefined) continue
    throw denied(
      permission,
      `The answer ${key} could show you what you may not see. In an import that somebody else made it needs the permission ${permission} for all classes, which an administrator grants. Leave it to who made the import.`,
    )
  }
}
