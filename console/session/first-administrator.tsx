import { useSignal } from '@preact/signals'
import { type FieldFault, register } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { goTo, startPath } from '../frame/address.ts'
import { LanguageChoice } from '../frame/language-choice.tsx'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Summary, TextField } from '../parts/fields.tsx'
import { Title } from '../parts/title.tsx'
import { passwordRule } from './password-rule.ts'
import { signIn } from './session.ts'

/** On the server's own machine, while there is no administrator: the account that is made here becomes one. */
export function FirstAdministrator({ leastLength }: { leastLength: number }) {
  const texts = t().firstAdministrator
  const labels = { name: texts.name, email: t().signIn.email, password: t().signIn.password }
  const typed = useSignal({ name: '', email: '', password: '' })
  const faults = useSignal<readonly FieldFault[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const isBusy = useSignal(false)

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isBusy.value) return
    isBusy.value = true
    const { email, password } = typed.value
    const came = await call(() => register({ body: typed.value }))
    if (came.is === 'done') {
      goTo(`${startPath}/school`)
      await signIn(email, password)
    }
    isBusy.value = false
    if (came.is === 'done') return
    const errors = came.failure.is === 'problem' ? came.failure.problem.errors : undefined
    faults.value = errors ?? []
    failure.value = errors ? undefined : came.failure
  }

  const inputs = [
    ['name', 'text', 'name'],
    ['email', 'email', 'username'],
    ['password', 'password', 'new-password'],
  ] as const
  return (
    <main class="alone">
      <Title screen={texts.title}>{texts.title}</Title>
      <p>{texts.text}</p>
      <form class="form" onSubmit={submit} noValidate>
        <Summary faults={faults.value} labelOf={(pointer) => labels[pointer.slice(1) as 'name'] ?? pointer} />
        {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
        {inputs.map(([name, type, autoComplete]) => (
          <TextField
            key={name}
            label={labels[name]}
            pointer={`/${name}`}
            type={type}
            autoComplete={autoComplete}
            hint={name === 'password' ? passwordRule(leastLength) : undefined}
            required
            value={typed.value[name]}
            onValue={(value) => {
              typed.value = { ...typed.value, [name]: value }
            }}
            faults={faults.value}
          />
        ))}
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isBusy.value}>
            {texts.submit}
          </button>
        </div>
      </form>
      <LanguageChoice />
    </main>
  )
}
