import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { List } from '../../../client/src/index.ts'
import { codeOf, type Failure } from '../../api/calls.ts'
import { address } from '../../frame/address.ts'
import { notice } from '../../frame/notice.tsx'
import { isolated } from '../../language/isolated.ts'
import { t } from '../../language/language.ts'
import { Failed } from '../../parts/failed.tsx'
import { useReturn } from '../../parts/leaving.ts'
import { Name } from '../../parts/name.tsx'
import { mayForAll } from '../../session/session.ts'
import { change, listQuery } from '../query.ts'
import { NewList, RenameList } from './list-form.tsx'
import { actOn, differs, hashOf, lists, loadLists, makeAgain, patchTo } from './lists.ts'
import { texts } from './texts.ts'

/** What gets the focus of what is gone: the list that is open, else the way to keep one. */
const remaining = () => document.querySelector<HTMLElement>('.lists [aria-current], .lists .does button')

/** So many stand in the line; the others behind "More lists". */
const mostInLine = 8

/** The named lists, and what is done with them. */
export function Screen() {
  const failure: Signal<Failure | undefined> = useSignal(undefined)
  const form: Signal<'new' | 'rename' | undefined> = useSignal(undefined)
  const read = async () => {
    failure.value = await loadLists()
  }
  useEffect(() => void read(), [])
  /** How often something was done: the button of it may be gone then. */
  const acted = useSignal(0)
  useReturn(form.value !== undefined, remaining)
  useLayoutEffect(() => {
    if (acted.value > 0 && document.activeElement === document.body) remaining()?.focus()
  }, [acted.value])
  const { value: all = [] } = lists
  const view = listQuery(address.value.query)
  const current = all.find(({ id }) => id === view.list)
  const isChanged = current !== undefined && differs(current, view)
  const close = () => {
    form.value = undefined
  }

  async function act(list: List, what: Parameters<typeof actOn>[1], said: () => string): Promise<void> {
    failure.value = await actOn(list, what)
    await loadLists()
    if (failure.value !== undefined) return
    if (what === 'remove') change({ list: undefined, page: address.value.query.get('page') ?? '' })
    acted.value++
    notice.value = { text: said, undo: () => void takeBack(list, what === 'remove') }
  }

  async function takeBack(before: List, isRemoved: boolean): Promise<void> {
    const { name, filters, columns, order } = before
    const now = lists.value?.find(({ id }) => id === before.id)
    const gone = Object.keys(now?.filters ?? {}).map((filter) => [filter, null])
    const patch = { name, columns, order, filters: { ...Object.fromEntries(gone), ...filters } }
    if (isRemoved) failure.value = await makeAgain(before)
    else if (now !== undefined) failure.value = await actOn(now, patch)
    await loadLists()
    if (failure.value === undefined) notice.value = { text: () => t().student.undone }
  }

  const inLine = all.slice(0, mostInLine)
  const others = all.slice(mostInLine)
  const name = isolated(current?.name ?? '')
  if (form.value === 'new') return <NewList close={close} />
  if (form.value === 'rename' && current !== undefined) return <RenameList list={current} close={close} />
  return (
    <>
      {failure.value && (
        <Failed
          what={codeOf(failure.value) === 'too_many_lists' ? texts().tooMany : t().failed.save}
          failure={failure.value}
          again={() => void read()}
        />
      )}
      <div class="line">
        {all.length > 0 && (
          <nav aria-label={texts().lists}>
            <span class="quiet" aria-hidden="true">
              {texts().lists}
            </span>
            <ul>
              {inLine.map((one) => (
                <ListLink key={one.id} list={one} current={current} isChanged={isChanged} />
              ))}
              {current && others.includes(current) && (
                <ListLink list={current} current={current} isChanged={isChanged} />
              )}
            </ul>
          </nav>
        )}
        {others.length > 0 && (
          <details class="menu-button">
            <summary>{texts().moreLists}</summary>
            <ul>
              {others.map((one) => (
                <ListLink key={one.id} list={one} current={current} isChanged={isChanged} />
              ))}
            </ul>
          </details>
        )}
        {mayForAll('lists.manage') && (
          <div class="does">
            {current && isChanged && (
              <button
                type="button"
                onClick={() => void act(current, patchTo(current, view), () => texts().saved(name))}
              >
                {texts().saveChanges(name)}
              </button>
            )}
            {(current === undefined || isChanged) && (
              <button type="button" class="plain" onClick={() => (form.value = 'new')}>
                {current === undefined ? texts().save : texts().saveNew}
              </button>
            )}
            {current && (
              <>
                <button type="button" class="plain" onClick={() => (form.value = 'rename')}>
                  {texts().rename}
                </button>
                <button
                  type="button"
                  class="plain"
                  onClick={() => void act(current, 'remove', () => texts().removed(name))}
                >
                  {texts().remove}
                </button>
              </>
            )}
          </div>
        )}
      </div>
    </>
  )
}

interface ListLinkProps {
  readonly list: List
  readonly current: List | undefined
  readonly isChanged: boolean
}

function ListLink({ list, current, isChanged }: ListLinkProps) {
  const isCurrent = list.id === current?.id
  return (
    <li>
      <a href={hashOf(list)} aria-current={isCurrent ? 'true' : undefined}>
        <Name>{list.name}</Name>
      </a>
      {isCurrent && isChanged && <span class="quiet"> · {texts().changed}</span>}
    </li>
  )
}
