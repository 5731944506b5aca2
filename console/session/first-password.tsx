import { useSignal } from '@preact/signals'
import { type FieldFault, updateOwnPassword } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Summary, TextField } from '../parts/fields.tsx'
import { Title } from '../parts/title.tsx'
import { usePasswordRule } from './password-rule.ts'
import { accountOf, check, signOut } from './session.ts'

/** Asks whose password an administrator set for one of their own. */
export function FirstPassword() {
  const texts = t().firstPassword
  const current = useSignal('')
  const next = useSignal('')
  const faults = useSignal<readonly FieldFault[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const rule = usePasswordRule()
  const labelOf = (pointer: string) => (pointer === '/current_password' ? texts.current : texts.next)

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    const body = { current_password: current.value, new_password: next.value }
    const came = await call(() => updateOwnPassword({ body }))
    if (came.is === 'done') return void check()
    const errors = came.failure.is === 'problem' ? came.failure.problem.errors : undefined
    faults.value = errors ?? []
    failure.value = errors ? undefined : came.failure
  }

  return (
    <main class="alone">
      <Title screen={texts.title}>{texts.title}</Title>
      <p>{texts.text}</p>
      <form class="form" onSubmit={submit}>
        <Summary faults={faults.value} labelOf={labelOf} />
        {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
        <input type="hidden" autocomplete="username" value={accountOf()?.email} />
        <TextField
          label={texts.current}
          pointer="/current_password"
          type="password"
          autoComplete="current-password"
          required
          value={current.value}
          onValue={(value) => (current.value = value)}
          faults={faults.value}
        />
        <TextField
          label={texts.next}
          pointer="/new_password"
          type="password"
          autoComplete="new-password"
          hint={rule}
          required
          value={next.value}
          onValue={(value) => (next.value = value)}
          faults={faults.value}
        />
        <div class="actions">
          <button type="submit" class="primary">
            {texts.submit}
          </button>
          <button type="button" onClick={signOut}>
            {t().signOut}
          </button>
        </div>
      </form>
    </main>
  )
}
