import type { Entry } from '../../client/src/index.ts'
import { kindTexts } from '../fields/kind-texts.ts'
import { listed, listedApart, t } from '../language/language.ts'
import { roleName } from '../parts/role-name.ts'
import { meaningOf } from '../roles/records.ts'
import { classes } from '../session/session.ts'
import { Difference, Change as StudentChange, fieldLabel as studentLabel } from '../student/history.tsx'
import { texts } from './texts.ts'

/** What a field is called, by the kind of its record. */
export function fieldLabel(record: Entry['record'], field: string): string {
  if (record === 'student') return studentLabel(field)
  const say = texts().fields
  const role = /^roles\.(.*)/.exec(field)?.[1]
  if (role !== undefined) return say.role(roleName(role))
  const { role: _, ...own } = say
  const known: Readonly<Record<string, string>> = { ...t().fields, ...own }
  return known[field] ?? field
}

/** What an entry changed, field by field: what stood there struck out, what stands since plain. */
export function Changes({ entry: { record, action, changes, hidden } }: { entry: Entry }) {
  return (
    <>
      {action !== 'removed' &&
        changes.map(({ field, from, to }) =>
          record === 'student' ? (
            <StudentChange key={field} field={field} from={from} to={to} />
          ) : (
            <Plain key={field} record={record} field={field} from={from} to={to} />
          ),
        )}
      {hidden.map((field) => (
        <span class="change" key={field}>
          {fieldLabel(record, field)}: <span class="quiet">{t().history.hidden}</span>
        </span>
      ))}
    </>
  )
}

interface PlainProps {
  readonly record: Entry['record']
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** Of a list, what went and what came; of anything else, before and after. */
function Plain({ record, field, from, to }: PlainProps) {
  const [before, after] = [partsOf(field, from), partsOf(field, to)]
  const gone = listed(before.filter((part) => !after.includes(part)))
  const come = listed(after.filter((part) => !before.includes(part)))
  return <Difference label={fieldLabel(record, field)} gone={gone} come={come} />
}

function partsOf(field: string, value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (field.startsWith('roles.') && value === 'all') return [texts().allClasses]
  return (Array.isArray(value) ? value : [value]).map((part) => partText(field, part))
}

/** What a member of a value is called: those of a list's filters are fields of students. */
const innerLabel = (name: string) =>
  name.startsWith('fields.') ? studentLabel(name) : fieldLabel('list', name)

/** The kind of one of the school's own fields. */
function kindName(kind: string): string {
  const known: Readonly<Record<string, string>> = kindTexts().kinds
  return known[kind] ?? kind
}

function partText(field: string, part: unknown): string {
  if (typeof part === 'boolean') return part ? t().student.yes : t().student.no
  if (field === 'permissions') return meaningOf(String(part))
  if (field === 'kind') return kindName(String(part))
  if (field.startsWith('roles.') || field === 'class_id')
    return classes.value.find(({ id }) => id === Number(part))?.label ?? t().history.otherClass
  if (typeof part !== 'object' || part === null) return String(part)
  return listed(
    Object.entries(part)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${innerLabel(name)} ${listedApart(partsOf(name, value))}`),
  )
}
