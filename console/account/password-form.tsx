import { useSignal } from '@preact/signals'
import { type FieldFault, updateOwnPassword } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { notice } from '../frame/notice.tsx'
import { t } from '../language/language.ts'
import { faultsOf } from '../parts/edit-form.tsx'
import { Failed } from '../parts/failed.tsx'
import { Summary, TextField } from '../parts/fields.tsx'
import { useLeaving } from '../parts/leaving.ts'
import { usePasswordRule } from '../session/password-rule.ts'
import { accountOf } from '../session/session.ts'
import { texts } from './texts.ts'

/** Changes the own password. It ends every other session. */
export function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const current = useSignal('')
  const next = useSignal('')
  const faults = useSignal<readonly FieldFault[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const isSaving = useSignal(false)
  useLeaving(() => next.value !== '')
  const say = texts()
  const rule = usePasswordRule()

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (isSaving.value) return
    isSaving.value = true
    failure.value = undefined
    const body = { current_password: current.value, new_password: next.value }
    const came = await call(() => updateOwnPassword({ body }))
    isSaving.value = false
    faults.value = came.is === 'failed' ? faultsOf(came.failure) : []
    if (came.is === 'failed') {
      if (faults.value.length === 0) failure.value = came.failure
      return
    }
    current.value = ''
    next.value = ''
    notice.value = { text: () => texts().changed }
    onChanged()
  }

  return (
    <form class="form" data-save noValidate onSubmit={save}>
      <Summary
        faults={faults.value}
        labelOf={(pointer) => (pointer === '/current_password' ? say.current : say.next)}
      />
      {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
      <input type="hidden" autocomplete="username" value={accountOf()?.email} />
      <TextField
        label={say.current}
        pointer="/current_password"
        type="password"
        autoComplete="current-password"
        value={current.value}
        faults={faults.value}
        onValue={(value) => (current.value = value)}
      />
      <TextField
        label={say.next}
        pointer="/new_password"
        type="password"
        autoComplete="new-password"
        hint={rule}
        value={next.value}
        faults={faults.value}
        onValue={(value) => (next.value = value)}
      />
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isSaving.value} aria-keyshortcuts="Control+S">
          {isSaving.value ? t().student.saving : say.change}
        </button>
      </div>
    </form>
  )
}
