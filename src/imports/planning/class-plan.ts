import { uniqueKey } from '../../text/normalise.ts'
import type { PlannedCell } from '../model.ts'
import type { ReadRow } from './matching.ts'
import type { PlanRules } from './row-faults.ts'
import { type RowPlan, unplanned } from './row-plan.ts'

/**
 * Plans a row of a file of classes: one whose label is there already stays as it is, unless it is archived. A class has no version of its own
 * here, since nothing of it is changed.
 */
export function planClassRow({ basis, mode }: PlanRules, { values, faults, leftOut }: ReadRow): RowPlan {
  const { label } = values
  const key = typeof label === 'string' ? uniqueKey(label) : undefined
  const there = key !== undefined && basis.inUse.has(key)
  if (leftOut !== undefined) return { ...unplanned, outcome: 'left_out', cells: [leftOut] }
  const cells: PlannedCell[] = [...faults]
  const refuse = (code: NonNullable<PlannedCell['code']>, detail: string, params?: PlannedCell['params']) =>
    cells.push({ column: 'label', code, detail, ...(params && { params }) })
  if (key === undefined && cells.length === 0) refuse('required', 'is required')
  const permission = 'classes.manage'
  if (basis.authority.scopeOf(permission) !== 'all')
    refuse('permission_denied', `needs the permission ${permission} for all classes`, { permission })
  if (there && mode === 'create')
    refuse('taken', 'is the label of a class that is there: the import only creates')
  else if (there && !basis.inUse.get(key))
    refuse('archived_class', 'is the label of a class that is archived')
  if (!there && mode === 'update')
    refuse('unknown_class', 'must be of a class that is there: the import creates none')
  if (cells.length > 0) return { ...unplanned, outcome: 'refused', cells }
  if (there) return { ...unplanned, outcome: 'unchanged', cells }
  return { ...unplanned, numberKey: key, outcome: 'create', changes: { label: [null, label!] }, cells }
}
