import './look/index.css'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { address } from './frame/address.ts'
import { Frame } from './frame/frame.tsx'
import { t } from './language/language.ts'
import { Failed } from './parts/failed.tsx'
import { Later } from './parts/later.tsx'
import { NotThere } from './parts/not-there.tsx'
import { Title } from './parts/title.tsx'
import { isRoom, RoomScreen, rooms } from './rooms.tsx'
import { FirstPassword } from './session/first-password.tsx'
import { begin, check, may, session, visit } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'
import { found } from './students/found.ts'
import { StudentList } from './students/list.tsx'

const student = () => import('./student/student.tsx')
const newStudent = () => import('./new-student/new-student.tsx')

/** Loads what is mostly opened next, when the first students are seen. */
function loadAhead(): void {
  for (const load of [student, newStudent]) void load().catch(() => {})
}

/** The screen that the address names, for an account that may see it. */
function Screen() {
  const { screen, part } = address.value
  const isSeen = found.value !== undefined
  useEffect(() => {
    if (isSeen) loadAhead()
  }, [isSeen])
  if (isRoom(screen))
    return rooms[screen].isFor() ? <RoomScreen key={`${screen}/${part}`} name={screen} /> : <NotThere />
  if (!may('students.view') || (screen === 'newStudent' && !may('students.create'))) return <NotThere />
  if (screen === 'newStudent') return <Later key={screen} load={newStudent} />
  if (screen === 'student') return <Later key={screen} load={student} />
  return <StudentList />
}

function Signed() {
  const { value } = session
  if (!('account' in value)) return null
  const { account } = value
  if (account.password_change_required) return <FirstPassword />
  const isNobody = account.permissions.length === 0 && address.value.screen !== 'account'
  return <Frame>{isNobody ? <NoRole email={account.email} /> : <Screen />}</Frame>
}

function NoRole({ email }: { email: string }) {
  return <Title screen={t().registrar}>{t().noRole(email)}</Title>
}

/** While a session is over, the page is emptied: what was typed waits unseen for the same person. */
function Console() {
  const { value } = session
  if (value.is === 'checking')
    return (
      <p class="alone" role="status">
        {t().loading}
      </p>
    )
  if (value.is === 'unknown')
    return (
      <main class="alone">
        <Failed what={t().failed.load} failure={value.failure} again={() => void check()} />
      </main>
    )
  return (
    <>
      {value.is !== 'in' && <SignIn />}
      {'account' in value && (
        <div key={visit.value} hidden={value.is === 'over'}>
          <Signed />
        </div>
      )}
    </>
  )
}

// Loaded while the server is asked who is signed in.
if (address.value.screen === 'today') void rooms.today.load().catch(() => {})
begin()
render(<Console />, document.getElementById('console')!)
