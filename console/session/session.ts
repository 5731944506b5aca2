import { computed, effect, signal } from '@preact/signals'
import {
  type Class,
  createCookieSession,
  type Doors,
  type Field,
  getDoors,
  getOwnAccount,
  getSchool,
  listClasses,
  listFields,
  listStudents,
  logout,
  type OwnAccount,
  type School,
} from '../../client/src/index.ts'
import { call, type Failure, isOffline, type Outcome, sessionEnd } from '../api/calls.ts'
import { dropDrafts, dropDraftsOfOthers } from './drafts.ts'
import { forgetUse, isOverdue, noteUse, watchIdle } from './idle.ts'
import { hearTabs, tellTabs } from './tabs.ts'

/** Who is at the screen. `over`: who was, and what they typed is still there, unseen. */
export type Session =
  | { readonly is: 'checking' }
  | { readonly is: 'out' }
  | { readonly is: 'unknown'; readonly failure: Failure }
  | { readonly is: 'in' | 'over'; readonly account: OwnAccount }

export const session = signal<Session>({ is: 'checking' })

/** Counted up when another person signs in: what the one before typed is dropped. */
export const visit = signal(0)

/** What the whole console shows of the school. */
export const school = signal<School | undefined>(undefined)
export const classes = signal<readonly Class[]>([])
export const ownFields = signal<readonly Field[]>([])

/** Whether students of the school have their given and family names apart. */
export const usesNameParts = signal(false)

const account = computed(() => ('account' in session.value ? session.value.account : undefined))
export const accountOf = () => account.value

/** Whether the account holds a permission, for some classes at least. */
export const may = (permission: string) => account.value?.permissions.includes(permission) === true

/** Whether it holds it for all classes. */
export const mayForAll = (permission: string) =>
  may(permission) && !account.value!.scopes.some((scope) => scope.permission === permission)

/** For which classes it holds a permission. */
function scopeOf(permission: string): 'all' | readonly number[] {
  if (!may(permission)) return []
  const scope = account.value!.scopes.find((one) => one.permission === permission)
  return scope === undefined ? 'all' : scope.class_ids
}

/** Whether it sees all of each student of these classes; of none: of all that it sees any of. */
export function seesSensitive(classIds: readonly number[]): boolean {
  const [seen, viewed] = [scopeOf('students.sensitive'), scopeOf('students.view')]
  if (seen === 'all') return true
  const asked =
    viewed === 'all' ? classIds : viewed.filter((id) => classIds.length === 0 || classIds.includes(id))
  return asked.length > 0 && asked.every((id) => seen.includes(id))
}

/** Whether it holds it for this class. */
export function mayIn(permission: string, classId: number): boolean {
  const scope = scopeOf(permission)
  return scope === 'all' || scope.includes(classId)
}

/** Of which classes it sees all of each student; `all`: of all that it sees any of. */
export function classesSeenWhole(): 'all' | readonly number[] {
  const [seen, viewed] = [scopeOf('students.sensitive'), scopeOf('students.view')]
  if (seen === 'all' || viewed === 'all') return seen
  return viewed.every((id) => seen.includes(id)) ? 'all' : viewed.filter((id) => seen.includes(id))
}

let lastId = 0

function enter(account: OwnAccount): void {
  if (account.id !== lastId) visit.value++
  lastId = account.id
  dropDraftsOfOthers(account.id)
  session.value = { is: 'in', account }
}

/** Asks the server who is signed in. Who is at the screen stays where it cannot say. @returns whether it could */
export async function check(): Promise<boolean> {
  // Who left the browser alone for too long is not let in again by a reload or a restart of it.
  const ended = isOverdue() ? await call(() => logout()) : undefined
  const before = session.value
  const found = ended?.is === 'failed' ? ended : await call(() => getOwnAccount())
  if (found.is === 'done') {
    const account = found.data.data
    if (account.id !== lastId) forgetSchool() // another person may see less of it, and may not read all of it anew
    if (!account.password_change_required) await loadSchool(account)
    enter(account)
  } else if (found.failure.is === 'problem' && found.failure.problem.status === 401) {
    forgetUse()
    session.value = 'account' in before ? { is: 'over', account: before.account } : { is: 'out' }
  } else {
    if (before.is !== 'in') session.value = { is: 'unknown', failure: found.failure }
    return false
  }
  return true
}

/** Whether no class has a student: then the first steps are still to be done. */
export const isRegisterEmpty = () => classes.value.every(({ students }) => students === 0)

const mostClasses = 1000

/** How often a server that was not found is looked for. */
const probeEveryMs = 5000

/** Reads the classes anew, for every screen. */
export async function loadClasses(): Promise<Outcome<readonly Class[]>> {
  const came = await call(() => listClasses({ query: { per_page: mostClasses } }))
  if (came.is === 'failed') return came
  classes.value = came.data.data
  return { ...came, data: classes.value }
}

/** Whether the first student by family name has one: those without come last. */
export async function loadNameParts(): Promise<void> {
  const first = await call(() =>
    listStudents({ query: { columns: 'family_name', sort: 'family_name', per_page: 1 } }),
  )
  if (first.is === 'done')
    usesNameParts.value = first.data.data.some((row) => 'family_name' in row && row.family_name !== null)
}

/** What whoever is asked for names needs: to enter a student, and to see how others are called. */
const namePermissions = ['students.create', 'students.view']

/** Reads the school's own fields anew: those that are not archived. */
export async function loadOwnFields(): Promise<void> {
  const fields = await call(() => listFields())
  if (fields.is === 'done') ownFields.value = fields.data.data.filter(({ archived }) => !archived)
}

/** What every screen needs, before one is shown: each as far as the account may see it. */
async function loadSchool({ permissions }: OwnAccount): Promise<void> {
  const [own] = await Promise.all([
    call(() => getSchool()),
    permissions.includes('students.view') ? loadOwnFields() : undefined,
    permissions.includes('classes.view') ? loadClasses() : undefined,
    namePermissions.every((one) => permissions.includes(one)) ? loadNameParts() : undefined,
  ])
  if (own.is === 'done') school.value = own.data.data
}

/** `kept`: signed in; `lost`: the browser did not keep the cookie, or does not say which page asks. */
export async function signIn(email: string, password: string): Promise<Outcome<'kept' | 'lost'>> {
  const issued = await call(() => createCookieSession({ body: { email, password } }))
  if (issued.is === 'failed') return issued
  noteUse()
  await check()
  tellTabs('changed')
  return { is: 'done', data: session.value.is === 'in' ? 'kept' : 'lost', tag: '' }
}

/** Ends the session at the server, and drops all that was typed. */
export async function signOut(): Promise<void> {
  const ended = await call(() => logout())
  if (ended.is === 'failed' && ended.failure.is === 'offline') return // the session lives on
  tellTabs('signed out')
  forget()
}

/** Shows nothing any more, and drops all that was typed. */
function forget(): void {
  lastId = 0
  dropDrafts()
  visit.value++
  session.value = { is: 'out' }
  forgetSchool()
}

function forgetSchool(): void {
  school.value = undefined
  classes.value = []
  ownFields.value = []
  usesNameParts.value = false
}

/** Empties the page, and ends the session at the server: nobody was here for long. What was typed stays. */
function lock(): void {
  const { value } = session
  if (value.is !== 'in') return
  session.value = { is: 'over', account: value.account }
  void call(() => logout()).then(() => tellTabs('changed'))
}

/** Which ways to an account are open. */
export async function doors(): Promise<Doors | undefined> {
  const found = await call(() => getDoors())
  return found.is === 'done' ? found.data.data : undefined
}

/** Begins: the session is looked at, and again when the page comes back from the browser's memory. */
export function begin(): void {
  sessionEnd.onEnd = () => {
    const { value } = session
    if ('account' in value) session.value = { is: 'over', account: value.account }
  }
  const page = document.documentElement
  addEventListener('pagehide', () => {
    page.hidden = true
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted)
      void check().then((isKnown) => {
        if (isKnown) page.hidden = false
        else location.reload()
      })
  })
  addEventListener('online', () => void check())
  hearTabs({ onSignOut: forget, onChange: () => void check() })
  effect(() => {
    if (!isOffline.value) return
    const timer = setInterval(() => void check(), probeEveryMs)
    return () => clearInterval(timer)
  })
  let endWatch: (() => void) | undefined
  effect(() => {
    const isIn = session.value.is === 'in'
    if (isIn) endWatch ??= watchIdle(lock)
    else {
      endWatch?.()
      endWatch = undefined
    }
  })
  if (isSecureContext) void check()
  else session.value = { is: 'out' }
}
