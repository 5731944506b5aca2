import { type Signal, useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { t } from '../language/language.ts'
import { Failed } from './failed.tsx'

/** What is loaded when it is first shown. */
export function Later({ load }: { load: () => Promise<{ readonly Screen: ComponentType }> }) {
  const loaded: Signal<ComponentType | undefined> = useSignal(undefined)
  const isFailed = useSignal(false)
  async function begin(): Promise<void> {
    try {
      const { Screen } = await load()
      loaded.value = Screen
    } catch {
      isFailed.value = true
    }
  }
  useLayoutEffect(() => void begin(), []) // what is loaded already takes keys at once
  if (isFailed.value)
    return <Failed what={t().failed.load} failure={{ is: 'offline' }} again={() => location.reload()} />
  const { value: Screen } = loaded
  return Screen === undefined ? <p class="quiet">{t().loading}</p> : <Screen />
}
