import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { deleteRole, type Permission, type Role, updateRole } from '../../client/src/index.ts'
import { call, codeOf, type Failure, type Outcome } from '../api/calls.ts'
import { openForms } from '../frame/address.ts'
import { notice, tellAt } from '../frame/notice.tsx'
import { isolated } from '../language/isolated.ts'
import { t } from '../language/language.ts'
import { EditForm, type ReadRecord } from '../parts/edit-form.tsx'
import { Failed } from '../parts/failed.tsx'
import { useLoaded } from '../parts/load.ts'
import { Name } from '../parts/name.tsx'
import { Removal } from '../parts/removal.tsx'
import { roleName } from '../parts/role-name.ts'
import { Title } from '../parts/title.tsx'
import { check } from '../session/session.ts'
import { RoleInputs } from './inputs.tsx'
import {
  countHolders,
  fetchPermissions,
  fetchRole,
  labelOf,
  mayChange,
  meaningOf,
  permissionsOf,
  shownOf,
  typedOf,
} from './records.ts'
import { Holders } from './table.tsx'
import { texts } from './texts.ts'

interface Opened {
  readonly read: ReadRecord<Role>
  readonly permissions: readonly Permission[]
}

async function open(id: number): Promise<Outcome<Opened>> {
  const [role, permissions] = await Promise.all([fetchRole(id), fetchPermissions()])
  if (role.is === 'failed') return role
  if (permissions.is === 'failed') return permissions
  return { ...role, data: { read: role.data, permissions: permissions.data } }
}

/** One role: what it allows, and who holds it. */
export function RoleScreen({ id }: { id: number }) {
  const { data, failure, load } = useLoaded(() => open(id))
  const refused = useSignal<Failure | undefined>(undefined)
  const holders = useSignal<number | undefined>(undefined)
  const say = texts()
  const name = data.value?.read.record.name
  useEffect(() => {
    if (name !== undefined) void countHolders(name).then((count) => (holders.value = count))
  }, [name])

  if (failure.value && codeOf(failure.value) === 'role_not_found')
    return <Title screen={t().screens.roles}>{say.notThere}</Title>
  if (data.value === undefined)
    return failure.value ? (
      <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />
    ) : null
  const { read, permissions } = data.value
  const { record: role, tag } = read
  const isYours = mayChange(role)

  async function remove(): Promise<Failure | undefined> {
    const came = await call(() => deleteRole({ path: { id }, headers: { 'If-Match': tag } }))
    if (came.is === 'failed') return came.failure
    openForms.clear()
    tellAt('#/roles', { text: () => texts().wasRemoved(isolated(role.name)) })
    return undefined
  }

  return (
    <>
      <p>
        <a href="#/roles">{say.back}</a>
      </p>
      <div class="heading">
        <Title screen={t().screens.roles}>
          <Name>{roleName(role.name)}</Name>
        </Title>
      </div>
      <p class="facts">
        {role.built_in ? say.builtIn : say.own}
        {holders.value !== undefined && ' · '}
        <Holders role={role} count={holders.value} />
      </p>
      {refused.value && <Failed what={t().failed.save} failure={refused.value} sentences={say.problems} />}
      <div class="tools">
        <a class="button" href={`#/roles/new?like=${id}`}>
          {say.addLike}
        </a>
        {isYours && !holders.value && (
          <Removal
            label={say.remove}
            text={say.removeText}
            remove={remove}
            onFailed={(failure) => {
              refused.value = failure
              void load()
            }}
          />
        )}
      </div>
      {isYours && holders.value ? <p class="facts">{say.stillHeld(holders.value)}</p> : null}
      {isYours ? (
        <EditForm
          opened={read}
          typedOf={({ name, permissions }) => typedOf(name, permissions)}
          labelOf={labelOf}
          shownOf={shownOf}
          sentences={say.problems}
          fetch={() => fetchRole(id)}
          send={send}
          onSaved={(next) => {
            data.value = { read: next, permissions }
            notice.value = { text: () => t().student.saved }
            void check() // it may be a role of one's own
          }}
          inputs={(inputs) => <RoleInputs {...inputs} permissions={permissions} />}
        />
      ) : (
        <>
          <p>{role.built_in ? say.builtInText : say.exceeds}</p>
          <h2 class="further">{say.allows}</h2>
          <ul class="plain-list">
            {permissions
              .filter(({ name }) => role.permissions.includes(name))
              .map(({ name, description }) => (
                <li key={name}>{meaningOf(name, description)}</li>
              ))}
          </ul>
        </>
      )}
    </>
  )
}

/** Sends what was changed. @returns why not */
async function send(
  typed: Parameters<typeof permissionsOf>[0],
  changed: readonly string[],
  { record, tag }: ReadRecord<Role>,
): Promise<Failure | undefined> {
  const body = {
    ...(changed.includes('/name') && { name: typed['/name']! }),
    ...(changed.some((pointer) => pointer !== '/name') && { permissions: permissionsOf(typed) }),
  }
  const came = await call(() => updateRole({ path: { id: record.id }, body, headers: { 'If-Match': tag } }))
  return came.is === 'failed' ? came.failure : undefined
}
