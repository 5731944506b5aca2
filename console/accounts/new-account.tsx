import { useRef } from 'preact/hooks'
import { createUser } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { goTo, openForms } from '../frame/address.ts'
import { NewForm } from '../parts/new-form.tsx'
import { Title } from '../parts/title.tsx'
import type { Typed } from '../student/form.ts'
import { AccountInputs, fetchAccount, labelOf, saveRoles } from './account-form.tsx'
import { faultSaid } from './faults.ts'
import { generated, given } from './first-password.tsx'
import { wantedRoles } from './half-made.ts'
import { RoleInputs } from './role-inputs.tsx'
import { emptyGrants, grantsOf } from './roles.ts'
import { texts } from './texts.ts'

/** A new account, with its roles. Its first password is generated, and shown on the screen of the account. */
export function NewAccount() {
  const password = useRef(generated()).current

  /** The account is there; where its roles cannot be saved, its own screen goes on with them. */
  async function grant(id: number, typed: Typed): Promise<void> {
    if (grantsOf(typed).length > 0) {
      const read = await fetchAccount(id)
      const failed = read.is === 'failed' ? read.failure : await saveRoles(id, typed, read.data.tag)
      wantedRoles.value = failed && { id, typed, failure: failed }
    }
    given.value = { id, password }
    openForms.clear()
    goTo(`#/accounts/${id}`)
  }

  return (
    <>
      <div class="heading">
        <Title screen={texts().addTitle}>{texts().addTitle}</Title>
      </div>
      <NewForm
        start={{ '/name': '', '/email': '' }}
        labelOf={labelOf}
        said={faultSaid}
        make={texts().make}
        back="#/accounts"
        check={emptyGrants}
        send={(typed, key) => {
          const body = { name: typed['/name']!, email: typed['/email']!, password }
          return call(() => createUser({ body, headers: { 'Idempotency-Key': key } }))
        }}
        onMade={(typed, { data }) => grant(data.id, typed)}
        inputs={(inputs) => (
          <>
            <AccountInputs {...inputs} focus />
            <RoleInputs {...inputs} />
          </>
        )}
      />
    </>
  )
}
