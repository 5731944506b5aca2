import { Fault, faultAt, idOf } from '../parts/fields.tsx'
import { Name } from '../parts/name.tsx'
import { roleName } from '../parts/role-name.ts'
import { classes } from '../session/session.ts'
import type { Inputs } from '../student/inputs.tsx'
import { allowsOf } from './allows.ts'
import { faultSaid } from './faults.ts'
import { chosenGrant, classesOf, type Grantable, roles, typedGrant } from './roles.ts'
import { texts } from './texts.ts'

/** The roles of an account: each held or not, for all classes or for certain ones. */
export function RoleInputs(inputs: Inputs) {
  const { value } = roles
  return (
    <fieldset class="field" id={idOf('/roles')} tabIndex={-1}>
      <legend>{texts().roles}</legend>
      <span class="hint">{value === undefined ? texts().rolesUnseen : texts().rolesHint}</span>
      {value?.map((role) => (
        <RoleInput key={role.id} role={role} {...inputs} />
      ))}
      {value !== undefined && !value.some(isForClasses) && (
        <p class="hint">
          {texts().teachersHint} <a href="#/roles/new?for=teacher">{texts().teachersRole}</a>
        </p>
      )}
    </fieldset>
  )
}

/** Whether a role is the school's own, and shows students of certain classes. */
const isForClasses = ({ built_in, isForAllOnly, permissions }: Grantable) =>
  !built_in && !isForAllOnly && permissions.includes('students.view')

function RoleInput({ role, typed, onTyped, faults }: Inputs & { role: Grantable }) {
  const pointer = `/roles/${role.id}`
  const id = idOf(pointer)
  const value = typed[pointer] ?? ''
  const put = (next: string) => onTyped({ ...typed, [pointer]: next })
  const fault = faultAt(faults, pointer)
  const name = roleName(role.name)
  const isOfSome = value.startsWith('of')
  return (
    <div class="grant">
      <div class="choice">
        <input
          type="checkbox"
          id={id}
          checked={value !== ''}
          aria-describedby={fault ? `${id}-hint ${id}-fault` : `${id}-hint`}
          onChange={({ currentTarget: { checked } }) => put(checked ? chosenGrant(role) : '')}
        />
        <label for={id}>
          <Name>{name}</Name>
        </label>
        {role.isForAllOnly && <span class="hint">{texts().forAllOnly}</span>}
      </div>
      <span class="hint" id={`${id}-hint`}>
        {allowsOf(role)}
      </span>
      <Fault id={id} fault={fault} said={fault && faultSaid(fault)} />
      {value !== '' && !role.isForAllOnly && (
        <fieldset class="within" aria-describedby={fault && `${id}-fault`}>
          <legend class="unseen">{texts().chooseClasses(name)}</legend>
          {[
            [texts().allClasses, 'all', value === 'all'] as const,
            [texts().theseClasses, 'of', isOfSome] as const,
          ].map(([label, next, isChosen]) => (
            <div class="choice" key={next}>
              <input
                type="radio"
                id={`${id}-${next === 'of' ? 'class_ids' : next}`}
                name={id}
                checked={isChosen}
                onChange={() => put(next)}
              />
              <label for={`${id}-${next === 'of' ? 'class_ids' : next}`}>{label}</label>
            </div>
          ))}
          {isOfSome && (
            <ClassChoice id={id} chosen={classesOf(value) ?? []} onChosen={(ids) => put(typedGrant(ids))} />
          )}
        </fieldset>
      )}
    </div>
  )
}

function ClassChoice({
  id,
  chosen,
  onChosen,
}: {
  id: string
  chosen: readonly number[]
  onChosen: (ids: readonly number[]) => void
}) {
  return (
    <div class="many">
      {classes.value
        .filter((one) => !one.archived || chosen.includes(one.id))
        .map((one) => (
          <div class="choice" key={one.id}>
            <input
              type="checkbox"
              id={`${id}-class-${one.id}`}
              checked={chosen.includes(one.id)}
              onChange={({ currentTarget: { checked } }) =>
                onChosen(checked ? [...chosen, one.id] : chosen.filter((other) => other !== one.id))
              }
            />
            <label for={`${id}-class-${one.id}`}>
              <Name>{one.label}</Name>
            </label>
          </div>
        ))}
    </div>
  )
}
