import { type Signal, useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { t } from '../language/language.ts'
import { Failed } from './failed.tsx'

interface LaterProps<Given> {
  readonly load: () => Promise<{ readonly Screen: ComponentType<Given> }>
  /** What the screen is given. */
  readonly given?: Given
}

/** What is loaded when it is first shown. */
export function Later<Given extends object>({ load, given }: LaterProps<Given>) {
  const loaded: Signal<ComponentType<Given> | undefined> = useSignal(undefined)
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
  return Screen === undefined ? <p class="quiet">{t().loading}</p> : <Screen {...(given as Given)} />
}
