import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { listUsers, type Pagination, type User } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { address, show } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Name } from '../parts/name.tsx'
import { Pager } from '../parts/pager.tsx'
import { roleName } from '../parts/role-name.ts'
import { Scroll } from '../parts/scroll.tsx'
import { Title } from '../parts/title.tsx'
import { accountOf, classes, may, session } from '../session/session.ts'
import { texts } from './texts.ts'

const perPage = 100
const pauseMs = 150

/** The accounts, found by name, e-mail address and state. */
export function AccountList() {
  const found = useSignal<{ rows: readonly User[]; pagination: Pagination } | undefined>(undefined)
  const failure = useSignal<Failure | undefined>(undefined)
  const typed = useSignal(address.value.query.get('search') ?? '')
  const asked = useRef(0)
  const timer = useRef(0)
  const { query } = address.value
  const { is } = session.value
  const say = texts()

  async function find(): Promise<void> {
    const place = ++asked.current
    const [search, state, role] = [query.get('search'), query.get('state'), query.get('role')]
    const came = await call(() =>
      listUsers({
        query: {
          per_page: perPage,
          page: Number(query.get('page')) || 1,
          ...(search && { search }),
          ...(role && { role }),
          ...((state === 'active' || state === 'disabled') && { state }),
        },
      }),
    )
    if (place !== asked.current) return
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'done') found.value = { rows: came.data.data, pagination: came.data.pagination }
  }
  useEffect(() => {
    if (is === 'in') void find()
  }, [query.toString(), is])
  useEffect(() => () => clearTimeout(timer.current), [])

  function put(name: string, value: string): void {
    const next = new URLSearchParams(address.value.query)
    if (name !== 'page') next.delete('page')
    if (value === '') next.delete(name)
    else next.set(name, value)
    show(next)
  }

  const { rows = [], pagination } = found.value ?? {}
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.accounts}>{t().screens.accounts}</Title>
        <p class="quiet number" role="status">
          {pagination && !failure.value && say.count(pagination.total)}
        </p>
      </div>
      <div class="tools">
        <input
          class="finder"
          type="search"
          dir="auto"
          autocomplete="off"
          spellcheck={false}
          aria-label={say.search}
          placeholder={say.search}
          value={typed.value}
          onInput={({ currentTarget: { value } }) => {
            typed.value = value
            clearTimeout(timer.current)
            timer.current = setTimeout(() => put('search', value.trim()), pauseMs) as unknown as number
          }}
        />
        <select
          class="narrow"
          aria-label={say.state}
          value={query.get('state') ?? ''}
          onChange={(event) => put('state', event.currentTarget.value)}
        >
          <option value="">{say.everyState}</option>
          <option value="active">{say.states.active}</option>
          <option value="disabled">{say.states.disabled}</option>
        </select>
        <RoleFilter role={query.get('role')} remove={() => put('role', '')} />
        {may('users.manage') && (
          <div class="end">
            <a class="button primary" href="#/accounts/new">
              {say.add}
            </a>
          </div>
        )}
      </div>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void find()} />}
      {pagination?.total === 0 && <p class="nothing">{say.none}</p>}
      {rows.length > 0 && <Table rows={rows} />}
      {pagination && (
        <Pager page={pagination.page} of={pagination.total_pages} to={(page) => put('page', String(page))} />
      )}
    </>
  )
}

/** That only who holds a role is listed: the screen of roles leads here. */
function RoleFilter({ role, remove }: { role: string | null; remove: () => void }) {
  if (role === null) return null
  const name = roleName(role)
  return (
    <span class="chip">
      <bdi>{name}</bdi>
      <button type="button" aria-label={t().students.removeFilter(name)} onClick={remove}>
        ×
      </button>
    </span>
  )
}

function Table({ rows }: { rows: readonly User[] }) {
  const say = texts()
  return (
    <Scroll label={t().screens.accounts}>
      <table>
        <caption class="unseen">{t().screens.accounts}</caption>
        <thead>
          <tr>
            {[say.name, say.email, say.roles, say.state].map((label) => (
              <th scope="col" key={label}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((account) => (
            <tr key={account.id}>
              <td>
                <a class="name" href={`#/accounts/${account.id}`}>
                  <Name>{account.name}</Name>
                </a>
                {account.id === accountOf()?.id && <span class="quiet"> · {say.own}</span>}
              </td>
              <td>
                <bdi>{account.email}</bdi>
              </td>
              <td>
                <Granted account={account} />
              </td>
              <td>
                <State account={account} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

/** The roles of an account, each with its classes where it is not for all. */
export function Granted({ account }: { account: User }) {
  const labelOf = (id: number) => classes.value.find((one) => one.id === id)?.label ?? `${id}`
  return account.roles.map(({ role_id, role, class_ids }, at) => (
    <span key={role_id}>
      {at > 0 && ' · '}
      <bdi>{roleName(role)}</bdi>
      {class_ids && (
        <span class="quiet">
          {': '}
          <bdi>{class_ids.map(labelOf).join(', ')}</bdi>
        </span>
      )}
    </span>
  ))
}

/** What is unusual about an account: a sign, and a word. */
export function State({
  account: { disabled, roles, password_change_required },
  before = '',
}: {
  account: User
  before?: string
}) {
  const say = texts()
  if (disabled)
    return (
      <>
        {before}
        <span class="problem">× {say.blocked}</span>
      </>
    )
  if (roles.length === 0)
    return (
      <>
        {before}
        <span class="doubt">? {say.noRole}</span>
      </>
    )
  if (!password_change_required) return null
  return (
    <span class="quiet">
      {before}
      {say.firstPassword}
    </span>
  )
}
