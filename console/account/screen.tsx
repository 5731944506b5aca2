import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import {
  deleteOtherSessions,
  deleteOwnSession,
  listOwnSessions,
  type Session,
} from '../../client/src/index.ts'
import { call, type Failure, type Outcome } from '../api/calls.ts'
import { notice } from '../frame/notice.tsx'
import { instantInWords } from '../language/dates.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Name } from '../parts/name.tsx'
import { roleName } from '../parts/role-name.ts'
import { Title } from '../parts/title.tsx'
import { accountOf, school, session } from '../session/session.ts'
import { deviceOf } from './device.ts'
import { PasswordForm } from './password-form.tsx'
import { texts } from './texts.ts'

const mostSessions = 100

/** The own account: who one is, the password, and where one is signed in. */
export function Screen() {
  const sessions = useSignal<readonly Session[] | undefined>(undefined)
  const failed = useSignal<{ what: 'load' | 'save'; failure: Failure } | undefined>(undefined)
  const { is } = session.value
  const say = texts()
  const account = accountOf()

  async function load(): Promise<void> {
    const came = await call(() => listOwnSessions({ query: { per_page: mostSessions } }))
    if (came.is === 'failed') failed.value = { what: 'load', failure: came.failure }
    else sessions.value = came.data.data
  }
  useEffect(() => {
    if (is === 'in') void load()
  }, [is])

  /** Says how many sessions a call ended, and reads anew which there are. */
  async function ended(came: Outcome<unknown>, count: number): Promise<void> {
    failed.value = came.is === 'failed' ? { what: 'save', failure: came.failure } : undefined
    if (came.is === 'done') notice.value = { text: () => texts().ended(count) }
    await load()
  }
  const end = async (id: string) => ended(await call(() => deleteOwnSession({ path: { id } })), 1)
  async function endOthers(): Promise<void> {
    const came = await call(() => deleteOtherSessions())
    await ended(came, came.is === 'done' ? came.data.data.ended_sessions : 0)
  }

  if (account === undefined) return null
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.account}>{t().screens.account}</Title>
      </div>
      <dl class="values facts-list">
        <div>
          <dt>{say.name}</dt>
          <dd>
            <Name>{account.name}</Name>
          </dd>
        </div>
        <div>
          <dt>{say.email}</dt>
          <dd>
            <bdi dir="ltr">{account.email}</bdi>
          </dd>
        </div>
        <div>
          <dt>{say.roles}</dt>
          <dd>
            {account.roles.length === 0 ? (
              <span class="quiet">{say.noRole}</span>
            ) : (
              <bdi>{account.roles.map(roleName).join(', ')}</bdi>
            )}
          </dd>
        </div>
      </dl>
      <h2 class="further">{say.password}</h2>
      <p class="quiet">{say.passwordText}</p>
      <PasswordForm onChanged={() => void load()} />
      <h2 class="further">{say.sessions}</h2>
      {failed.value && (
        <Failed
          what={t().failed[failed.value.what]}
          failure={failed.value.failure}
          again={() => void load()}
        />
      )}
      {sessions.value && <Sessions sessions={sessions.value} end={(id) => void end(id)} />}
      {(sessions.value?.length ?? 0) > 1 && (
        <div class="tools below-table">
          <button type="button" onClick={() => void endOthers()}>
            {say.endOthers}
          </button>
        </div>
      )}
    </>
  )
}

function Sessions({ sessions, end }: { sessions: readonly Session[]; end: (id: string) => void }) {
  const say = texts()
  const when = (instant: string | null) =>
    instant === null ? '–' : instantInWords(instant, school.value?.time_zone ?? 'UTC')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow page it scrolls, by keyboard too
    <section class="scroll" aria-label={say.sessions} tabIndex={0}>
      <table>
        <caption class="unseen">{say.sessions}</caption>
        <thead>
          <tr>
            {[say.device, say.since, say.used, say.address].map((label) => (
              <th scope="col" key={label}>
                {label}
              </th>
            ))}
            <th scope="col">
              <span class="unseen">{say.end}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map(({ id, client, created_at, last_used_at, address, current }) => (
            <tr key={id}>
              <td class="device">
                <bdi>{deviceOf(client)}</bdi>
                {current && <strong> · {say.here}</strong>}
              </td>
              <td class="number short">{when(created_at)}</td>
              <td class="number short">{when(last_used_at)}</td>
              <td>
                <bdi class="number">{address ?? '–'}</bdi>
              </td>
              <td class="does">
                {!current && (
                  <button
                    type="button"
                    class="plain"
                    aria-label={say.endOf(deviceOf(client), when(created_at))}
                    onClick={() => end(id)}
                  >
                    {say.end}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
