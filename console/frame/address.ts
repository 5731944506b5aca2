import { signal } from '@preact/signals'
import { t } from '../language/language.ts'

/** What stands in the menu behind the students, in that order. */
export const behindStudents = [
  'classes',
  'imports',
  'accounts',
  'roles',
  'fields',
  'log',
  'school',
  'about',
] as const

/**
 * Screens that are loaded when they are first opened, by how their addresses begin. The own account is opened by its
 * name at the top, and doubles from Today.
 */
const roomNames = ['today', 'doubles', 'start', ...behindStudents, 'account', 'print'] as const
export type RoomName = (typeof roomNames)[number]

/** Where the reader is: the screen, and what it shows. All of it stands after `#`, so that no server is told. */
export interface Address {
  readonly screen: 'students' | 'student' | 'newStudent' | RoomName
  readonly id: number
  /** What stands after the name of a room: `new`, or an id. */
  readonly part: string
  readonly query: URLSearchParams
}

function read(): Address {
  const [path = '', query = ''] = location.hash.slice(1).split('?')
  const [, first, second] = path.split('/')
  const found = { id: Number(second) || 0, part: second ?? '', query: new URLSearchParams(query) }
  const room = roomNames.find((name) => name === first)
  if (room !== undefined) return { ...found, screen: room }
  if (first === 'students' && second === 'new') return { ...found, screen: 'newStudent' }
  if (first === 'students' && /^\d+$/.test(second ?? '')) return { ...found, screen: 'student' }
  if (first === 'students') return { ...found, screen: 'students', id: 0 }
  return { ...found, screen: 'today', id: 0 }
}

export const address = signal<Address>(read())

/** Tells of each form that is open whether it holds something that is not saved. */
export const openForms = new Set<() => boolean>()

const isTyped = () => [...openForms].some((holds) => holds())

/** Whether one may leave: where something was typed, the reader is asked. */
export const mayLeave = () => !isTyped() || confirm(t().student.unsaved)

let shown = location.hash

/** Where the reader was before this screen; undefined where it was opened first. */
export let cameFrom: string | undefined

addEventListener('hashchange', () => {
  if (location.hash === shown) return
  const isElsewhere = location.hash.split('?')[0] !== shown.split('?')[0]
  if (isElsewhere && !mayLeave()) {
    history.pushState(null, '', shown || todayPath)
    return
  }
  if (isElsewhere) {
    openForms.clear()
    cameFrom = shown || '#/'
  }
  shown = location.hash
  address.value = read()
})

addEventListener('beforeunload', (event) => {
  if (isTyped()) event.preventDefault()
})

const todayPath = '#/today'
export const studentsPath = '#/students'
export const ownAccountPath = '#/account'
export const startPath = '#/start'
export const newStudentPath = '#/students/new'
export const studentPath = (id: number) => `#/students/${id}`
/** The sheet that these parameters ask for, by the names of `print/layout.ts` and of the list of students. */
export const printPath = (query: Readonly<Record<string, string>> | URLSearchParams) =>
  `#/print?${new URLSearchParams(query)}`

/** Goes to another place; the browser's Back leads here again. */
export function goTo(hash: string): void {
  location.hash = hash
}

/** Shows another part of the same list: no new step back. */
export function show(query: URLSearchParams): void {
  const text = query.toString()
  history.replaceState(null, '', `${location.hash.split('?')[0] || todayPath}${text && `?${text}`}`)
  shown = location.hash
  address.value = read()
}
