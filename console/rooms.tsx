import type { ComponentType } from 'preact'
import { address, type RoomName } from './frame/address.ts'
import { t } from './language/language.ts'
import { Later } from './parts/later.tsx'
import { isRegisterEmpty, may, mayForAll } from './session/session.ts'

/** A screen that is loaded when it is first opened. */
interface Room {
  /** Whether the account has anything to do there. */
  readonly isFor: () => boolean
  /** Whether the menu has it now; without it, always. */
  readonly isInMenu?: () => boolean
  readonly load: () => Promise<{ readonly Screen: ComponentType }>
}

export const rooms: Readonly<Record<RoomName, Room>> = {
  today: { isFor: () => true, load: () => import('./today/screen.tsx') },
  doubles: { isFor: () => may('students.view'), load: () => import('./doubles/screen.tsx') },
  start: {
    isFor: () => may('school.manage') && mayForAll('classes.manage'),
    isInMenu: isRegisterEmpty,
    load: () => import('./start/screen.tsx'),
  },
  imports: {
    isFor: () => may('students.import') || mayForAll('classes.manage'),
    isInMenu: () => may('students.import'),
    load: () => import('./imports/screen.tsx'),
  },
  classes: { isFor: () => may('classes.view'), load: () => import('./classes/screen.tsx') },
  accounts: { isFor: () => may('users.view'), load: () => import('./accounts/screen.tsx') },
  roles: { isFor: () => may('roles.manage'), load: () => import('./roles/screen.tsx') },
  fields: {
    isFor: () => mayForAll('fields.manage') && may('students.view'),
    load: () => import('./fields/screen.tsx'),
  },
  log: { isFor: () => true, load: () => import('./log/screen.tsx') },
  school: { isFor: () => may('school.manage'), load: () => import('./school/screen.tsx') },
  about: { isFor: () => may('roles.manage'), load: () => import('./about/screen.tsx') },
  account: { isFor: () => true, load: () => import('./account/screen.tsx') },
  print: { isFor: () => may('students.view'), load: () => import('./print/screen.tsx') },
}

export const isRoom = (screen: string): screen is RoomName => screen in rooms

/** Links of the menu to these rooms, for those who may enter. */
export function RoomLinks({ names }: { names: readonly RoomName[] }) {
  return names
    .filter((name) => rooms[name].isFor() && rooms[name].isInMenu?.() !== false)
    .map((name) => (
      <li key={name}>
        <a href={`#/${name}`} aria-current={address.value.screen === name ? 'page' : undefined}>
          {t().screens[name]}
        </a>
      </li>
    ))
}

export const RoomScreen = ({ name }: { name: RoomName }) => <Later key={name} load={rooms[name].load} />
