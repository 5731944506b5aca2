import { useSignal } from '@preact/signals'
import { createUser, type FieldFault } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { goTo, openForms } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { faultsOf } from '../parts/edit-form.tsx'
import { Failed } from '../parts/failed.tsx'
import { Summary } from '../parts/fields.tsx'
import { useLeaving } from '../parts/leaving.ts'
import { Title } from '../parts/title.tsx'
import type { Typed } from '../student/form.ts'
import { AccountInputs, fetchAccount, labelOf, saveRoles } from './account-form.tsx'
import { generated, given } from './first-password.tsx'
import { wantedRoles } from './half-made.ts'
import { RoleInputs } from './role-inputs.tsx'
import { emptyGrants, grantsOf } from './roles.ts'
import { texts } from './texts.ts'

/** A new account, with its roles. Its first password is generated, and shown on the screen of the account. */
export function NewAccount() {
  const typed = useSignal<Typed>({ '/name': '', '/email': '' })
  /** Made when the form opens, so that sending it twice makes one account. */
  const once = useSignal({ key: crypto.randomUUID(), password: generated() })
  const faults = useSignal<readonly FieldFault[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const isSaving = useSignal(false)
  useLeaving(() => `${typed.value['/name']}${typed.value['/email']}`.trim() !== '')

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (isSaving.value) return
    faults.value = emptyGrants(typed.value)
    if (faults.value.length > 0) return
    isSaving.value = true
    failure.value = undefined
    const { key, password } = once.value
    const body = { name: typed.value['/name']!, email: typed.value['/email']!, password }
    const came = await call(() => createUser({ body, headers: { 'Idempotency-Key': key } }))
    if (came.is === 'done') await grant(came.data.data.id, password)
    else {
      faults.value = faultsOf(came.failure)
      if (faults.value.length === 0) failure.value = came.failure
    }
    isSaving.value = false
  }

  /** The account is there; where its roles cannot be saved, its own screen goes on with them. */
  async function grant(id: number, password: string): Promise<void> {
    if (grantsOf(typed.value).length > 0) {
      const read = await fetchAccount(id)
      const failed = read.is === 'failed' ? read.failure : await saveRoles(id, typed.value, read.data.tag)
      wantedRoles.value = failed && { id, typed: typed.value, failure: failed }
    }
    given.value = { id, password }
    openForms.clear()
    goTo(`#/accounts/${id}`)
  }

  const inputs = { typed: typed.value, faults: faults.value, onTyped: (next: Typed) => (typed.value = next) }
  return (
    <>
      <div class="heading">
        <Title screen={texts().addTitle}>{texts().addTitle}</Title>
      </div>
      <form class="form" data-save noValidate onSubmit={save}>
        <Summary faults={faults.value} labelOf={labelOf} />
        {failure.value && <Failed what={t().failed.save} failure={failure.value} />}
        <AccountInputs {...inputs} focus />
        <RoleInputs {...inputs} />
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isSaving.value} aria-keyshortcuts="Control+S">
            {isSaving.value ? t().student.saving : texts().make}
          </button>
          <a class="button" href="#/accounts" data-cancel>
            {t().student.cancel}
          </a>
        </div>
      </form>
    </>
  )
}
