import { useLayoutEffect, useRef } from 'preact/hooks'
import { isOffline } from '../api/calls.ts'
import { t } from '../language/language.ts'
import { Name } from '../parts/name.tsx'
import { RoomLinks } from '../rooms.tsx'
import { accountOf, may, school, signOut } from '../session/session.ts'
import { listFocus, searchText, typeSearch } from '../students/search.ts'
import { address, behindStudents, mayLeave, newStudentPath, ownAccountPath, studentsPath } from './address.ts'
import { Fold, isNarrow } from './fold.tsx'
import { keysFor } from './keys.ts'
import { KeysMenu } from './keys-menu.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { NoticeBar, notice } from './notice.tsx'

/** What stands around every screen: the school, the search, the menu. */
export function Frame({ children }: { children: preact.ComponentChildren }) {
  const texts = t()
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => keysFor(() => field.current), [])
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        {texts.toContent}
      </button>
      <header class="top">
        <div class="school">
          <Name>{school.value?.name ?? texts.registrar}</Name>
        </div>
        {isNarrow.value && (
          <Fold>
            <Menu />
            <Own />
          </Fold>
        )}
        {may('students.view') && (
          <search>
            <form onSubmit={openHit}>
              <input
                ref={field}
                type="search"
                dir="auto"
                autocomplete="off"
                spellcheck={false}
                aria-label={`${texts.search}: ${hintOf()}`}
                placeholder={hintOf()}
                aria-keyshortcuts="/"
                value={searchText.value}
                onInput={(event) => typeSearch(event.currentTarget.value)}
              />
            </form>
          </search>
        )}
        {!isNarrow.value && <Own />}
      </header>
      {isOffline.value && (
        <p class="bar" role="status">
          {texts.offline}
        </p>
      )}
      <div class="below">
        {!isNarrow.value && <Menu />}
        <main id="content">{children}</main>
      </div>
      <NoticeBar />
    </>
  )
}

/** The keys, the language, the own account, and the way out. */
function Own() {
  const texts = t()
  return (
    <div class="own">
      <KeysMenu />
      <LanguageChoice />
      <a
        href={ownAccountPath}
        title={texts.screens.account}
        aria-current={address.value.screen === 'account' ? 'page' : undefined}
      >
        <Name>{accountOf()?.name ?? ''}</Name>
      </a>
      <button type="button" onClick={leave}>
        {texts.signOut}
      </button>
    </div>
  )
}

/** The screens that the account may see. */
function Menu() {
  const texts = t()
  const { screen } = address.value
  return (
    <nav class="menu" aria-label={texts.menu}>
      <ul>
        <RoomLinks names={['today', 'start']} />
        {may('students.view') && (
          <li>
            <a href={studentsPath} aria-current={ofStudents[screen]}>
              {texts.screens.students}
            </a>
          </li>
        )}
        {may('students.create') && (
          <li>
            <a href={newStudentPath} aria-current={screen === 'newStudent' ? 'page' : undefined}>
              {texts.screens.newStudent}
            </a>
          </li>
        )}
        <RoomLinks names={behindStudents} />
      </ul>
    </nav>
  )
}

/** How the menu marks Students: the list itself, or a child of it. */
const ofStudents: Readonly<Partial<Record<string, 'page' | 'true'>>> = { students: 'page', student: 'true' }

const hintOf = () => (may('students.sensitive') ? t().searchHint : t().searchHintPlain)

function leave(): void {
  if (!mayLeave()) return
  notice.value = undefined
  void signOut()
}

function openHit(event: Event): void {
  event.preventDefault()
  listFocus.open()
}

/** A button: the address has the screen after `#`, so no link can lead to a place on the page. */
function skip(): void {
  document.querySelector('h1')?.focus()
}
