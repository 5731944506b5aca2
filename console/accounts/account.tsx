import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import {
  deleteUser,
  deleteUserSessions,
  type User,
  updateUser,
  updateUserPassword,
} from '../../client/src/index.ts'
import { call, codeOf, type Failure } from '../api/calls.ts'
import { openForms } from '../frame/address.ts'
import { notice, tellAt } from '../frame/notice.tsx'
import { isolated } from '../language/isolated.ts'
import { t } from '../language/language.ts'
import type { ReadRecord } from '../parts/edit-form.tsx'
import { Failed } from '../parts/failed.tsx'
import { Name } from '../parts/name.tsx'
import { Title } from '../parts/title.tsx'
import { accountOf, may, session } from '../session/session.ts'
import { AccountForm, fetchAccount } from './account-form.tsx'
import { generated, given, Slip } from './first-password.tsx'
import { wantedRoles } from './half-made.ts'
import { Granted, State } from './list.tsx'
import { texts } from './texts.ts'

/** One account: who it is, what it may do, and how its owner signs in. */
export function AccountScreen({ id }: { id: number }) {
  const read = useSignal<ReadRecord<User> | undefined>(undefined)
  const failed = useSignal<Failure | undefined>(undefined)
  const isAsking = useSignal(false)
  const { is } = session.value
  const say = texts()

  async function load(): Promise<void> {
    const came = await fetchAccount(id)
    failed.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'done') read.value = came.data
  }
  useEffect(() => {
    if (is === 'in' && read.value === undefined) void load()
  }, [is])
  useLayoutEffect(
    () => () => {
      given.value = undefined
      wantedRoles.value = undefined
    },
    [],
  )

  if (failed.value && codeOf(failed.value) === 'user_not_found')
    return <Title screen={t().screens.accounts}>{say.notThere}</Title>
  if (read.value === undefined)
    return failed.value ? (
      <Failed what={t().failed.load} failure={failed.value} again={() => void load()} />
    ) : null
  const { record: account, tag } = read.value
  const headers = { 'If-Match': tag }
  const path = { id }
  const name = isolated(account.name)

  /** Says what came of an action, and reads the account anew. */
  async function after(failure: Failure | undefined, text: () => string, undo?: () => void): Promise<void> {
    await load()
    failed.value = failure
    if (failure === undefined) notice.value = { text, ...(undo && { undo }) }
  }

  async function block(disabled: boolean, of: string): Promise<void> {
    const came = await call(() => updateUser({ path, body: { disabled }, headers: { 'If-Match': of } }))
    const undo = came.is === 'done' ? () => void block(!disabled, came.tag) : undefined
    await after(
      came.is === 'failed' ? came.failure : undefined,
      () => (disabled ? texts().wasBlocked(name) : texts().wasUnblocked(name)),
      undo,
    )
  }

  async function signOutEverywhere(): Promise<void> {
    const came = await call(() => deleteUserSessions({ path }))
    const count = came.is === 'done' ? came.data.data.ended_sessions : 0
    await after(came.is === 'failed' ? came.failure : undefined, () => texts().ended(count))
  }

  async function setPassword(): Promise<void> {
    const password = generated()
    const came = await call(() => updateUserPassword({ path, body: { password }, headers }))
    if (came.is === 'done') given.value = { id, password }
    isAsking.value = false
    await after(came.is === 'failed' ? came.failure : undefined, () => t().student.saved)
  }

  async function remove(): Promise<void> {
    const came = await call(() => deleteUser({ path, headers }))
    if (came.is === 'failed') return after(came.failure, () => '')
    openForms.clear()
    tellAt('#/accounts', { text: () => texts().wasRemoved(name) })
  }

  const isOwn = id === accountOf()?.id
  const half = wantedRoles.value?.id === id ? wantedRoles.value : undefined
  return (
    <>
      <p>
        <a href="#/accounts">{say.back}</a>
      </p>
      <div class="heading">
        <Title screen={t().screens.accounts}>
          <Name>{account.name}</Name>
        </Title>
      </div>
      <p class="facts">
        <bdi>{account.email}</bdi>
        <State account={account} before=" · " />
      </p>
      {failed.value && <Failed what={t().failed.save} failure={failed.value} />}
      {given.value?.id === id && <Slip account={account} password={given.value.password} />}
      {half && <Failed what={say.halfMade} failure={half.failure} />}
      {isOwn && (
        <p class="facts">
          {say.ownText} <a href="#/account">{say.ownLink}</a>
        </p>
      )}
      {may('users.manage') && !isOwn && (
        <div class="tools">
          <button type="button" onClick={() => void block(!account.disabled, tag)}>
            {account.disabled ? say.unblock : say.block}
          </button>
          <button type="button" onClick={() => void signOutEverywhere()}>
            {say.signOutEverywhere}
          </button>
          <button type="button" aria-expanded={isAsking.value} onClick={() => (isAsking.value = true)}>
            {say.newPassword}
          </button>
          {account.roles.length === 0 && (
            <button type="button" onClick={() => void remove()}>
              {say.remove}
            </button>
          )}
        </div>
      )}
      {isAsking.value && (
        <div class="check asked">
          <p>? {say.newPasswordText}</p>
          <div class="actions">
            <button type="button" onClick={() => void setPassword()}>
              {say.setPassword}
            </button>
            <button type="button" data-cancel onClick={() => (isAsking.value = false)}>
              {t().student.cancel}
            </button>
          </div>
        </div>
      )}
      {may('users.manage') ? (
        <AccountForm
          opened={read.value}
          wanted={half?.typed}
          onSaved={(next) => {
            read.value = next
            wantedRoles.value = undefined
          }}
        />
      ) : (
        <Granted account={account} />
      )}
    </>
  )
}
