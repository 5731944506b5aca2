import { address } from '../frame/address.ts'
import { may } from '../session/session.ts'
import { NewRole } from './new-role.tsx'
import { RoleScreen } from './role.tsx'
import { RoleTableScreen } from './table.tsx'

/** The roles: all, one, or a new one. */
export function Screen() {
  const { part, id } = address.value
  if (part === 'new' && may('roles.manage')) return <NewRole />
  return id > 0 ? <RoleScreen id={id} /> : <RoleTableScreen />
}
