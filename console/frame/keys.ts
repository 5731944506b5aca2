import { signal } from '@preact/signals'
import { may, session } from '../session/session.ts'
import { goTo, newStudentPath } from './address.ts'

/** Whether keys are text here. */
const takesText = (place: EventTarget | null) =>
  place instanceof HTMLElement && (place.matches('input, select, textarea') || place.isContentEditable)

/** The names in the list, in order. */
const names = () => [...document.querySelectorAll<HTMLAnchorElement>('td .name')]

function move(by: 1 | -1): void {
  const all = names()
  const at = all.indexOf(document.activeElement as HTMLAnchorElement)
  all[at === -1 ? (by === 1 ? 0 : all.length - 1) : at + by]?.focus()
}

const kept = 'registrar.keys'

/** Whether single letters are keys: a voice that is taken for typing would press them. */
export const singleKeys = signal(localStorage.getItem(kept) !== 'off')

export function letSingleKeys(on: boolean): void {
  singleKeys.value = on
  localStorage.setItem(kept, on ? 'on' : 'off')
}

/** The innermost, where one stands in another. */
const openMenu = () =>
  [...document.querySelectorAll<HTMLDetailsElement>('details.menu-button[open]')].at(-1) ?? null

/** Of several open forms, the one that the reader is in, else the first. */
function inForm<Found extends HTMLElement>(place: EventTarget | null, selector: string): Found | null {
  const form = place instanceof HTMLElement ? place.closest('form') : null
  const own = form?.matches(selector) ? (form as HTMLElement as Found) : form?.querySelector<Found>(selector)
  return own ?? document.querySelector<Found>(selector)
}

/** Closes the menu that is open, else the form. A dialog is closed by the browser. */
function goBack(place: EventTarget | null): void {
  const menu = openMenu()
  if (menu === null) {
    if (document.querySelector('dialog[open]') === null) inForm(place, '[data-cancel]')?.click()
    return
  }
  menu.open = false
  menu.querySelector('summary')?.focus()
}

/** Single keys, which do nothing while a field has the focus. @returns what ends it */
export function keysFor(search: () => HTMLInputElement | null): () => void {
  const actions: Record<string, () => void> = {
    '/': () => {
      search()?.focus()
      search()?.select()
    },
    n: () => may('students.create') && goTo(newStudentPath),
    e: () => document.querySelector<HTMLElement>('[data-edit]')?.click(),
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    '?': () => {
      const menu = document.querySelector<HTMLDetailsElement>('[data-keys]')
      if (menu === null) return
      menu.open = true
      menu.parentElement?.closest('details')?.setAttribute('open', '')
      menu.querySelector('summary')?.focus()
    },
  }
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if (session.value.is !== 'in') return
    if ((ctrlKey || metaKey) && key === 's') {
      event.preventDefault()
      inForm<HTMLFormElement>(target, 'form[data-save]')?.requestSubmit()
      return
    }
    if (event.defaultPrevented) return // by what is open there, such as a list of choices
    if (key === 'Escape') return goBack(target)
    const isInNames = target instanceof HTMLElement && target.matches('td .name')
    if (ctrlKey || metaKey || altKey) return
    if (takesText(target)) {
      if (key === 'ArrowDown' && target === search() && names().length > 0) {
        event.preventDefault()
        names()[0]?.focus()
      }
      return
    }
    if (key.startsWith('Arrow') ? !isInNames : !singleKeys.value) return // arrows scroll the page elsewhere
    const act = actions[key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}
