import { useEffect } from 'preact/hooks'
import { address } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Failed } from '../parts/failed.tsx'
import { Title } from '../parts/title.tsx'
import { may, session } from '../session/session.ts'
import { ChangeList } from './change-list.tsx'
import { Filters } from './filters.tsx'
import { loadNames } from './names.ts'
import { fetchEntries, filterNames } from './query.ts'
import { texts } from './texts.ts'
import { useEntries } from './use-entries.ts'

/** Who changed what, and when: the newest first. */
export function Screen() {
  const { query } = address.value
  const { is } = session.value
  const shown = useEntries((before) => fetchEntries(query, before))
  const { found, failure, load } = shown
  const say = texts()
  useEffect(() => {
    if (is === 'in') void loadNames()
  }, [is])
  useEffect(() => {
    if (is === 'in') void load()
    shown.undone.value = undefined
  }, [query.toString(), is])

  const { entries = [], next = null } = found.value ?? {}
  const [title, noneYet] = may('audit.view') ? [t().screens.log, say.nobodyYet] : [say.own, say.noneYet]
  const isNarrowed = filterNames.some((name) => query.has(name))
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.log}>{title}</Title>
      </div>
      {!may('audit.view') && <p class="facts">{say.intro}</p>}
      <Filters entries={entries} />
      {failure.value && <Failed what={t().failed.load} failure={failure.value} again={() => void load()} />}
      {found.value && entries.length === 0 && <p class="nothing">{isNarrowed ? say.none : noneYet}</p>}
      {entries.length > 0 && (
        <section class="section limited" aria-label={title}>
          <ChangeList shown={shown} />
        </section>
      )}
      {next !== null && (
        <div class="below-table">
          <button type="button" onClick={() => void load(next)}>
            {say.older}
          </button>
        </div>
      )}
    </>
  )
}
