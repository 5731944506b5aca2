import type { Permission } from '../../client/src/index.ts'
import { Fault, faultAt, idOf, TextField } from '../parts/fields.tsx'
import { mayForAll } from '../session/session.ts'
import type { Inputs } from '../student/inputs.tsx'
import { grouped, meaningOf, pointerOf } from './records.ts'
import { texts } from './texts.ts'

interface RoleInputsProps extends Inputs {
  readonly permissions: readonly Permission[]
  readonly focus?: boolean
}

/** The name of a role, and what it allows. */
export function RoleInputs({ permissions, focus, ...inputs }: RoleInputsProps) {
  const { typed, faults, onTyped } = inputs
  const say = texts()
  const id = idOf('/permissions')
  const fault = faultAt(
    faults.filter(({ pointer }) => !permissions.some(({ name }) => pointer === pointerOf(name))),
    '/permissions',
  )
  return (
    <>
      <TextField
        label={say.name}
        pointer="/name"
        value={typed['/name'] ?? ''}
        faults={faults}
        focus={focus ?? false}
        onValue={(value) => onTyped({ ...typed, '/name': value })}
      />
      <fieldset class="field" id={id} tabIndex={-1}>
        <legend>{say.allows}</legend>
        <span class="hint">{say.allowsHint}</span>
        <Fault id={id} fault={fault} />
        {grouped(permissions).map(([label, those]) => (
          <fieldset class="group" key={label}>
            <legend>{label}</legend>
            {those.map((one) => (
              <PermissionInput key={one.name} permission={one} {...inputs} />
            ))}
          </fieldset>
        ))}
      </fieldset>
    </>
  )
}

function PermissionInput({ permission, typed, onTyped }: Inputs & { permission: Permission }) {
  const { name, description, all_classes_only } = permission
  const say = texts()
  const pointer = pointerOf(name)
  const id = idOf(pointer)
  const isYours = mayForAll(name)
  const hint = isYours ? all_classes_only && say.allClasses : say.notYours
  return (
    <div class="choice">
      <input
        type="checkbox"
        id={id}
        checked={(typed[pointer] ?? '') !== ''}
        disabled={!isYours}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget: { checked } }) => onTyped({ ...typed, [pointer]: checked ? 'yes' : '' })}
      />
      <span>
        <label for={id}>{meaningOf(name, description)}</label>{' '}
        {hint && (
          <span class="hint" id={`${id}-hint`}>
            {hint}
          </span>
        )}
      </span>
    </div>
  )
}
