import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Failure } from '../api/calls.ts'
import { address } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { NotThere } from '../parts/not-there.tsx'
import { may } from '../session/session.ts'
import { AccountScreen } from './account.tsx'
import { AccountList } from './list.tsx'
import { NewAccount } from './new-account.tsx'
import { loadRoles, roles } from './roles.ts'

/** The accounts: all, one, or a new one. */
export function Screen() {
  const { part, id } = address.value
  const failure = useSignal<Failure | undefined>(undefined)
  const isReady = useSignal(roles.value !== undefined || part === '')
  async function load(): Promise<void> {
    failure.value = await loadRoles()
    isReady.value = failure.value === undefined
  }
  useEffect(() => {
    if (part !== '') void load()
  }, [])
  if (part === 'new' && !may('users.manage')) return <NotThere />
  if (failure.value)
    return <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />
  if (!isReady.value) return null
  if (part === 'new') return <NewAccount />
  return id > 0 ? <AccountScreen id={id} /> : <AccountList />
}
