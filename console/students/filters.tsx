import { signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { address, newStudentPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { Combobox } from '../parts/combobox.tsx'
import { Failed } from '../parts/failed.tsx'
import { Menu } from '../parts/menu.tsx'
import { may } from '../session/session.ts'
import { chipsOf } from './filter-words.ts'
import { failure, found } from './found.ts'
import { listQuery } from './query.ts'
import type { Asking } from './tools/filter-options.ts'

/** Loaded while the first students are read already. */
const adder = () => import('./tools/add-filter.tsx')
const chooser = () => import('./tools/columns-menu.tsx')
const files = () => import('./tools/export-menu.tsx')
const prints = () => import('../print/list-menu.tsx')

/** What the list is filtered by, what can be done with it, and the way to a new student. */
export function Filters() {
  const texts = t().students
  const isThere = !failure.value && (found.value?.pagination.total ?? 0) > 0
  return (
    <div class="tools">
      <Chips />
      <div class="end">
        <Menu label={texts.columns} load={chooser} />
        {isThere && <Menu label={t().screens.print} load={prints} />}
        {may('students.export') && isThere && <Menu label={texts.export} load={files} />}
        {may('students.create') && (
          <a class="button primary" href={newStudentPath} aria-keyshortcuts="n">
            {texts.add}
          </a>
        )}
      </div>
    </div>
  )
}

/** Whether a filter is being added. */
const isAdding = signal(false)

const close = () => {
  isAdding.value = false
}

/**
 * Adds filters: one types what one looks for. The field stands there at once, so that no key is lost; what one may
 * choose comes when it is loaded. It stays open for the next class.
 */
function Adder() {
  const loaded = useSignal<Awaited<ReturnType<typeof adder>> | undefined>(undefined)
  const isFailed = useSignal(false)
  const asking = useSignal<Asking | undefined>(undefined)
  const texts = t().students
  useEffect(() => {
    adder().then(
      (tools) => (loaded.value = tools),
      () => (isFailed.value = true),
    )
  }, [])
  const { value: tools } = loaded
  if (isFailed.value)
    return <Failed what={t().failed.load} failure={{ is: 'offline' }} again={() => location.reload()} />
  if (tools && asking.value !== undefined) return <tools.AskValue name={asking.value} close={close} />
  const query = listQuery(address.value.query)
  return (
    <Combobox
      label={texts.filterBy}
      pointer="/filter"
      value=""
      onValue={(id) => {
        asking.value = tools?.add(id, query)
      }}
      options={tools?.filterOptions(query) ?? []}
      focus
      isWaiting={tools === undefined}
      again={{ onClose: close, none: tools ? texts.nothingFits : t().loading }}
    />
  )
}

function Chips() {
  const texts = t().students
  const button = useRef<HTMLButtonElement>(null)
  const wasAdding = useRef(false)
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (wasAdding.current && document.activeElement === document.body) button.current?.focus()
    wasAdding.current = isAdding.value
    if (!isAdding.value) return
    const onPress = ({ target }: Event) => {
      if (!place.current?.contains(target as Node)) isAdding.value = false
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [isAdding.value])
  useLayoutEffect(
    () => () => {
      isAdding.value = false
    },
    [],
  )
  return (
    <>
      {chipsOf(listQuery(address.value.query)).map(({ key, label, remove }) => (
        <span class="chip" key={key}>
          <bdi>{label}</bdi>
          <button
            type="button"
            aria-label={texts.removeFilter(label)}
            onClick={() => {
              remove()
              button.current?.focus()
            }}
          >
            ×
          </button>
        </span>
      ))}
      <div class="adder" ref={place}>
        {isAdding.value ? (
          <Adder />
        ) : (
          <button type="button" ref={button} onClick={() => (isAdding.value = true)}>
            {texts.addFilter}
          </button>
        )}
      </div>
    </>
  )
}
