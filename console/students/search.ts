import { effect, signal } from '@preact/signals'
import { address, goTo, studentsPath } from '../frame/address.ts'
import { change } from './query.ts'

/** How long the reader is to pause before a search begins, in milliseconds. */
const debounceMs = 120

/** What stands in the search field. */
export const searchText = signal('')

let timer: ReturnType<typeof setTimeout> | undefined

/** Searches while one types. */
export function typeSearch(text: string): void {
  searchText.value = text
  clearTimeout(timer)
  timer = setTimeout(apply, debounceMs)
}

function apply(): void {
  clearTimeout(timer)
  timer = undefined
  const search = searchText.value.trim()
  if (address.value.screen === 'students') change({ search })
  else if (search !== '') goTo(`${studentsPath}?${new URLSearchParams({ search })}`)
}

/** Enter in the search field opens the only hit: at once, or when it is found. */
export const listFocus = {
  wantsOnlyHit: false,
  open(): void {
    listFocus.wantsOnlyHit = true
    apply()
    listFocus.onOpen()
  },
  onOpen: () => {},
}

/** The field follows the address, unless somebody is typing. A space before the next word stays. */
effect(() => {
  const { screen, query } = address.value
  const search = screen === 'students' ? (query.get('search') ?? '') : ''
  if (timer === undefined && searchText.peek().trim() !== search) searchText.value = search
})
