import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Role } from '../../client/src/index.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { useLoaded } from '../parts/load.ts'
import { Name } from '../parts/name.tsx'
import { roleName } from '../parts/role-name.ts'
import { Title } from '../parts/title.tsx'
import { may } from '../session/session.ts'
import { countHolders, fetchTable, grouped, holdersPath, meaningOf, type RoleTable } from './records.ts'
import { texts } from './texts.ts'

/** What each role allows: a row for each permission, a column for each role. */
export function RoleTableScreen() {
  const { data, failure, load } = useLoaded(fetchTable)
  const say = texts()
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.roles}>{t().screens.roles}</Title>
        <p class="quiet number">{data.value && say.count(data.value.roles.length)}</p>
      </div>
      <div class="tools">
        <div class="end">
          <a class="button primary" href="#/roles/new">
            {say.add}
          </a>
        </div>
      </div>
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {data.value && <Table {...data.value} />}
    </>
  )
}

function Table({ roles, permissions }: RoleTable) {
  const say = texts()
  const holders = useSignal<ReadonlyMap<number, number>>(new Map())
  useEffect(() => {
    if (may('users.view')) void count()
  }, [])
  async function count(): Promise<void> {
    const counts = await Promise.all(
      roles.map(async ({ id, name }) => [id, await countHolders(name)] as const),
    )
    holders.value = new Map(counts.flatMap(([id, count]) => (count === undefined ? [] : [[id, count]])))
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by keyboard
    <section class="scroll matrix" tabIndex={0} aria-label={say.table}>
      <table>
        <caption class="unseen">{say.table}</caption>
        <thead>
          <tr>
            <th scope="col">{say.permission}</th>
            {roles.map((role) => (
              <th scope="col" key={role.id}>
                <a class="name" href={`#/roles/${role.id}`}>
                  <Name>{roleName(role.name)}</Name>
                </a>
                <span class="caption quiet">{role.built_in ? say.builtIn : say.own}</span>
              </th>
            ))}
          </tr>
          {may('users.view') && (
            <tr>
              <th scope="row">{say.heldBy}</th>
              {roles.map((role) => (
                <td key={role.id}>
                  <Holders role={role} count={holders.value.get(role.id)} />
                </td>
              ))}
            </tr>
          )}
        </thead>
        {grouped(permissions).map(([label, those]) => (
          <tbody key={label}>
            <tr class="group">
              <th scope="rowgroup">{label}</th>
              <td colSpan={roles.length} />
            </tr>
            {those.map(({ name, description, all_classes_only }) => (
              <tr key={name}>
                <th scope="row">
                  {meaningOf(name, description)}
                  {all_classes_only && <span class="hint"> {say.allClasses}</span>}
                </th>
                {roles.map((role) => (
                  <td key={role.id}>
                    <Holds isHeld={role.permissions.includes(name)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

function Holds({ isHeld }: { isHeld: boolean }) {
  return (
    <>
      <span class={isHeld ? 'held' : 'quiet'} aria-hidden="true">
        {isHeld ? '✓' : '–'}
      </span>
      <span class="unseen">{isHeld ? texts().yes : texts().no}</span>
    </>
  )
}

/** How many hold a role, with the way to them. */
export function Holders({ role, count }: { role: Role; count: number | undefined }) {
  if (count === undefined) return null
  const text = texts().holders(count)
  if (count === 0) return <span class="quiet">{text}</span>
  return (
    <a href={holdersPath(role.name)} aria-label={texts().holdersOf(roleName(role.name), count)}>
      {text}
    </a>
  )
}
