import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Failure } from '../api/calls.ts'
import { address, show } from '../frame/address.ts'
import { notice } from '../frame/notice.tsx'
import { isolated } from '../language/isolated.ts'
import { t } from '../language/language.ts'
import style from '../look/doubles.css' with { type: 'text' }
import { Failed, sentenceOf } from '../parts/failed.tsx'
import { Pager } from '../parts/pager.tsx'
import { adopt } from '../parts/style.ts'
import { Title } from '../parts/title.tsx'
import { session } from '../session/session.ts'
import { PairTable } from './pair-table.tsx'
import { type Pair, type Pairs, readPairs, settle } from './pairs.ts'
import { texts } from './texts.ts'

adopt(style)

function showPage(page: number): void {
  show(new URLSearchParams(page > 1 ? { page: String(page) } : {}))
}

/** Children who may be one child, pair by pair: the two beside each other, to be told apart. */
export function Screen() {
  const found = useSignal<Pairs | undefined>(undefined)
  const failed = useSignal<{ what: 'load' | 'save'; failure: Failure } | undefined>(undefined)
  const asked = useRef(0)
  const list = useRef<HTMLDivElement>(null)
  /** Where a pair stood that goes. */
  const goes = useRef<number | undefined>(undefined)
  const page = Math.max(1, Math.trunc(Number(address.value.query.get('page'))) || 1)
  const { is } = session.value
  const say = texts()

  async function load(): Promise<void> {
    const place = ++asked.current
    const came = await readPairs(page)
    if (place !== asked.current) return
    failed.value = came.is === 'failed' ? { what: 'load', failure: came.failure } : undefined
    if (came.is === 'failed') return
    const { pairs, total, pages } = came.data
    if (pairs.length === 0 && total > 0) return showPage(pages)
    found.value = came.data
  }
  useEffect(() => {
    if (is === 'in') void load()
  }, [page, is])
  useLayoutEffect(() => {
    const { current: place } = goes
    if (place === undefined) return
    goes.current = undefined
    if (document.activeElement !== document.body) return // the reader went elsewhere meanwhile
    const heads = [...(list.current?.querySelectorAll('h2') ?? [])]
    ;(heads[Math.min(place, heads.length - 1)] ?? document.querySelector('h1'))?.focus()
  }, [found.value])

  async function takeBack(pair: Pair): Promise<void> {
    const failure = await settle(pair, false)
    notice.value = { text: () => (failure ? sentenceOf(failure) : texts().again) }
    await load()
  }
  /** The pair goes, and the focus moves to the one that takes its place. */
  async function tellApart(pair: Pair, place: number): Promise<void> {
    const failure = await settle(pair, true)
    failed.value = failure && { what: 'save', failure }
    if (failure) return
    const [one, other] = pair.students.map(({ name }) => isolated(name))
    notice.value = { text: () => texts().settled(one!, other!), undo: () => void takeBack(pair) }
    goes.current = place
    await load()
  }

  const { value } = found
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.doubles}>{t().screens.doubles}</Title>
        <p class="quiet number" role="status">
          {value ? say.count(value.total) : !failed.value && say.searching}
        </p>
      </div>
      {failed.value && (
        <Failed
          what={t().failed[failed.value.what]}
          failure={failed.value.failure}
          again={() => void load()}
        />
      )}
      {value?.total === 0 && <p class="nothing">{say.none}</p>}
      {value !== undefined && value.total > 0 && <p class="limited quiet">{say.intro}</p>}
      <div ref={list} class="limited">
        {value?.pairs.map((pair, place) => (
          <PairTable
            key={pair.students.map(({ id }) => id).join()}
            pair={pair}
            tellApart={() => tellApart(pair, place)}
          />
        ))}
      </div>
      {value && <Pager page={page} of={value.pages} to={showPage} />}
    </>
  )
}
