import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../language/language.ts'
import { doors } from './session.ts'

/** How long a new password is at least, in words. */
export const passwordRule = (least: number) => t().faults.too_short({ limit: least })

/** The same, asked of the server; undefined until it answers. */
export function usePasswordRule(): string | undefined {
  const least = useSignal<number | undefined>(undefined)
  useEffect(() => {
    void doors().then((found) => (least.value = found?.least_password_length))
  }, [])
  return least.value === undefined ? undefined : passwordRule(least.value)
}
