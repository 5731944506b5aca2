import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Doors } from '../../client/src/index.ts'
import type { Failure } from '../api/calls.ts'
import { LanguageChoice } from '../frame/language-choice.tsx'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { TextField } from '../parts/fields.tsx'
import { Title } from '../parts/title.tsx'
import { FirstAdministrator } from './first-administrator.tsx'
import { doors, session, signIn } from './session.ts'

/** How soon the server is asked again which doors are open, where it could not say. */
const askAgainMs = 3000

/** Asks who is there. Over plain HTTP from another machine it says why nobody can sign in. */
export function SignIn() {
  const texts = t().signIn
  const email = useSignal(session.value.is === 'over' ? session.value.account.email : '')
  const password = useSignal('')
  const failure = useSignal<Failure | undefined>(undefined)
  const isLost = useSignal(false)
  const isBusy = useSignal(false)
  const open = useSignal<Doors | undefined>(undefined)
  useEffect(() => {
    if (!isSecureContext) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      open.value = await doors()
      if (open.value === undefined) timer = setTimeout(() => void ask(), askAgainMs)
    }
    void ask()
    return () => clearTimeout(timer)
  }, [])

  if (!isSecureContext)
    return (
      <main class="alone">
        <Title screen={t().screens.signIn}>{t().needsHttps.title}</Title>
        <p>{t().needsHttps.text}</p>
        <LanguageChoice />
      </main>
    )

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isBusy.value) return
    isBusy.value = true
    failure.value = undefined
    isLost.value = false
    const came = await signIn(email.value, password.value)
    isBusy.value = false
    if (came.is === 'failed') failure.value = came.failure
    else isLost.value = came.data === 'lost'
    password.value = ''
  }

  const place = open.value?.first_administrator
  if (open.value && place === 'here')
    return <FirstAdministrator leastLength={open.value.least_password_length} />
  return (
    <main class="alone">
      <Title screen={t().screens.signIn}>{texts.title}</Title>
      {session.value.is === 'over' && <p role="status">{texts.over}</p>}
      {place === 'elsewhere' && <p>{texts.noAdministratorElsewhere}</p>}
      <form class="form" onSubmit={submit}>
        <Refusal failure={failure.value} isLost={isLost.value} />
        <TextField
          label={texts.email}
          pointer="/email"
          type="email"
          autoComplete="username"
          required
          value={email.value}
          onValue={(value) => (email.value = value)}
        />
        <TextField
          label={texts.password}
          pointer="/password"
          type="password"
          autoComplete="current-password"
          required
          value={password.value}
          onValue={(value) => (password.value = value)}
        />
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

function Refusal({ failure, isLost }: { failure: Failure | undefined; isLost: boolean }) {
  if (isLost)
    return (
      <p class="summary" role="alert">
        {t().tooOld}
      </p>
    )
  if (failure === undefined) return null
  const problem = failure.is === 'problem' ? failure.problem : undefined
  if (problem?.code === 'invalid_credentials' || problem?.code === 'validation_failed')
    return (
      <p class="summary" role="alert">
        × {t().signIn.wrong}
      </p>
    )
  if (problem?.code === 'cross_origin')
    return (
      <p class="summary" role="alert">
        {t().tooOld}
      </p>
    )
  return <Failed what="" failure={failure} />
}
