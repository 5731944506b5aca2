import { type FieldFault, getUser, type User, updateUser, updateUserRoles } from '../../client/src/index.ts'
import { call, type Failure, type Outcome } from '../api/calls.ts'
import { notice } from '../frame/notice.tsx'
import { t } from '../language/language.ts'
import { EditForm, type ReadRecord } from '../parts/edit-form.tsx'
import { faultAt, TextField } from '../parts/fields.tsx'
import { roleName } from '../parts/role-name.ts'
import { accountOf, check, classes } from '../session/session.ts'
import type { Typed } from '../student/form.ts'
import type { Inputs } from '../student/inputs.tsx'
import { faultSaid } from './faults.ts'
import { RoleInputs } from './role-inputs.tsx'
import { byRole, classesOf, emptyGrants, grantsOf, roles, typedRoles } from './roles.ts'
import { texts } from './texts.ts'

export async function fetchAccount(id: number): Promise<Outcome<ReadRecord<User>>> {
  const came = await call(() => getUser({ path: { id } }))
  return came.is === 'failed' ? came : { ...came, data: { record: came.data.data, tag: came.tag } }
}

/** Replaces the roles of an account as it was read. @returns why not */
export async function saveRoles(id: number, typed: Typed, tag: string): Promise<Failure | undefined> {
  const grants = grantsOf(typed)
  const came = await call(() =>
    updateUserRoles({ path: { id }, body: { roles: grants }, headers: { 'If-Match': tag } }),
  )
  return came.is === 'failed' ? byRole(came.failure, grants) : undefined
}

const typedOf = ({ name, email, roles }: User): Typed => ({
  '/name': name,
  '/email': email,
  ...typedRoles(roles),
})

/** What a pointer of an account is called on the screen. */
export function labelOf(pointer: string): string {
  const id = Number(/^\/roles\/(\d+)/.exec(pointer)?.[1])
  if (id) {
    const name = roleName(roles.value?.find((role) => role.id === id)?.name ?? String(id))
    return name
  }
  if (pointer === '/name') return texts().name
  if (pointer === '/current_password') return texts().currentPassword
  return pointer === '/email' ? texts().email : texts().roles
}

/** How a value is shown where two changes are compared: a role with its classes. */
function shownOf(pointer: string, value: string): string {
  if (!pointer.startsWith('/roles/') || value === '') return value
  const ids = classesOf(value)
  if (ids === null) return texts().allClasses
  return ids.map((id) => classes.value.find((one) => one.id === id)?.label ?? id).join(', ')
}

/** An account with its roles and their classes, in one form. */
export function AccountForm({
  opened,
  wanted,
  onSaved,
}: {
  opened: ReadRecord<User>
  /** Roles that were chosen and could not be saved. */
  wanted: Typed | undefined
  onSaved: (read: ReadRecord<User>) => void
}) {
  const { id, email } = opened.record
  const isOwn = id === accountOf()?.id

  async function send(
    typed: Typed,
    changed: readonly string[],
    { tag }: ReadRecord<User>,
    reopen: (read: ReadRecord<User>) => void,
  ): Promise<Failure | readonly FieldFault[] | undefined> {
    const empty = emptyGrants(typed)
    if (empty.length > 0) return empty
    const [hasName, hasEmail] = [changed.includes('/name'), changed.includes('/email')]
    let last = tag
    if (hasName || hasEmail) {
      const proof = typed['/current_password'] ?? ''
      const body = {
        ...(hasName && { name: typed['/name']! }),
        ...(hasEmail && { email: typed['/email']! }),
        ...(hasEmail && isOwn && proof !== '' && { current_password: proof }),
      }
      const came = await call(() => updateUser({ path: { id }, body, headers: { 'If-Match': tag } }))
      if (came.is === 'failed') return came.failure
      last = came.tag
    }
    if (!changed.some((pointer) => pointer.startsWith('/roles/'))) return undefined
    const failure = await saveRoles(id, typed, last)
    if (failure !== undefined && last !== tag) {
      const read = await fetchAccount(id)
      if (read.is === 'done') reopen(read.data)
    }
    return failure
  }

  return (
    <EditForm
      opened={opened}
      typedOf={typedOf}
      start={wanted}
      labelOf={labelOf}
      shownOf={shownOf}
      said={faultSaid}
      fetch={() => fetchAccount(id)}
      send={send}
      onSaved={(read) => {
        notice.value = { text: () => t().student.saved }
        if (isOwn) void check()
        onSaved(read)
      }}
      inputs={(inputs) => (
        <>
          <AccountInputs {...inputs} />
          {isOwn && inputs.typed['/email'] !== email && (
            <TextField
              label={texts().currentPassword}
              hint={texts().currentPasswordHint}
              pointer="/current_password"
              type="password"
              autoComplete="current-password"
              value={inputs.typed['/current_password'] ?? ''}
              faults={inputs.faults}
              onValue={(value) => inputs.onTyped({ ...inputs.typed, '/current_password': value })}
            />
          )}
          <RoleInputs {...inputs} />
        </>
      )}
    />
  )
}

/** The name and the e-mail address of an account. */
export function AccountInputs({ typed, faults, onTyped, focus }: Inputs & { focus?: boolean }) {
  const email = faultAt(faults, '/email')
  return (
    <>
      <TextField
        label={texts().name}
        pointer="/name"
        value={typed['/name'] ?? ''}
        faults={faults}
        focus={focus ?? false}
        onValue={(value) => onTyped({ ...typed, '/name': value })}
      />
      <TextField
        label={texts().email}
        pointer="/email"
        type="email"
        value={typed['/email'] ?? ''}
        faults={faults}
        said={email && faultSaid(email)}
        onValue={(value) => onTyped({ ...typed, '/email': value })}
      />
    </>
  )
}
