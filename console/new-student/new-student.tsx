import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { createStudent, type FieldFault, getNextNumber, type NewStudent } from '../../client/src/index.ts'
import { call, type Failure, patiently } from '../api/calls.ts'
import { goTo, openForms, studentPath, studentsPath } from '../frame/address.ts'
import { notice, tellAt } from '../frame/notice.tsx'
import { isolated } from '../language/isolated.ts'
import { t } from '../language/language.ts'
import { keptDraft, useDraft } from '../parts/draft.ts'
import { Summary } from '../parts/fields.tsx'
import { useGiven, useLeaving } from '../parts/leaving.ts'
import { SaveButton } from '../parts/save-button.tsx'
import { Title } from '../parts/title.tsx'
import { isRegisterEmpty, loadClasses, may, usesNameParts, visit } from '../session/session.ts'
import { type ChildField, emptyFaults, guardiansOf, sentValue, type Typed } from '../student/form.ts'
import { ChildInput, GuardianInputs } from '../student/inputs.tsx'
import { typedFor } from '../student/offers.ts'
import { ownChangeSet, undone } from '../student/record.ts'
import { labelOf } from '../student/section-form.tsx'
import { GuardiansAsFor } from './guardians-as-for.tsx'
import { anyName, atName, isInParts, missingName, nameFields, noName, switched, wholeName } from './names.ts'
import { Refusal } from './refusal.tsx'
import { texts } from './texts.ts'

/** The fields below the name. */
const plainFields: readonly ChildField[] = ['admission_number', 'class_id']
const withSensitive: readonly ChildField[] = ['date_of_birth', 'admission_number', 'class_id']

/** The form below the name, before anything is typed. */
const noChild = (isSensitive: boolean, classId: string): Typed => ({
  ...Object.fromEntries((isSensitive ? withSensitive : plainFields).map((name) => [`/${name}`, ''])),
  '/class_id': classId,
  ...(isSensitive && { '/guardians/0/name': '', '/guardians/0/phone': '' }),
})

/** What the form is called where it is kept over a reload. */
const draftName = 'new'

/**
 * A new student. After each one the form is there for the next child: the class stays, the next number is proposed. The
 * first child has no class until one is chosen.
 */
export function Screen() {
  const say = texts()
  const isSensitive = may('students.sensitive')
  const fields = isSensitive ? withSensitive : plainFields
  const draft = useMemo(() => keptDraft(draftName, { ...anyName, ...noChild(isSensitive, '') })?.typed, [])
  const inParts = useSignal(isInParts(draft))
  const names = nameFields(inParts.value)
  const empty = (classId: string): Typed => ({ ...noName(inParts.value), ...noChild(isSensitive, classId) })
  /** What stands there before anything is typed: the class that is kept, and the number that is proposed. */
  const start = useSignal<Typed>(empty(''))
  const typed = useSignal<Typed>({ ...start.value, ...draft })
  /** Made when the form opens, so that sending it twice makes one child. */
  const key = useSignal(crypto.randomUUID())
  const faults = useSignal<readonly FieldFault[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const isSaving = useSignal(false)
  /** Whether the child that is being saved is the last one: then it is shown. */
  const isLast = useRef(false)
  const form = useRef<HTMLFormElement>(null)
  const given = useGiven()
  const focusFirst = () => form.current?.querySelector<HTMLElement>('input')?.focus()
  /** What was typed. The class alone is no reason to ask. */
  const changed = () => Object.keys(typed.value).filter((at) => typed.value[at] !== (start.value[at] ?? ''))
  const holdsChild = () => changed().some((at) => at !== '/class_id')
  useLeaving(holdsChild)
  useDraft(draftName, start.value, typed.value)

  /** Proposes a number where none was typed meanwhile. */
  async function propose(): Promise<void> {
    const came = await call(() => getNextNumber())
    if (came.is === 'failed') return
    const number = came.data.data.admission_number
    start.value = { ...start.value, '/admission_number': number }
    if (typed.value['/admission_number'] === '') typed.value = { ...typed.value, '/admission_number': number }
  }
  useLayoutEffect(() => {
    focusFirst()
    void propose()
  }, [])

  async function save(otherThan?: readonly number[]): Promise<void> {
    if (isSaving.value) return
    faults.value = [...missingName(typed.value, inParts.value), ...emptyFaults(typed.value)]
    if (faults.value.length > 0) return
    isSaving.value = true
    failure.value = undefined
    const body = bodyOf([...names, ...fields], typed.value)
    const name = wholeName(typed.value, inParts.value)
    const send = () =>
      call(() =>
        createStudent({
          body,
          headers: { 'Idempotency-Key': key.value },
          query: otherThan ? { other_than: [...otherThan] } : { duplicates: 'refuse' },
        } as Parameters<typeof createStudent>[0]),
      )
    const isOffline = (came: Awaited<ReturnType<typeof send>>) =>
      came.is === 'failed' && came.failure.is === 'offline'
    const came = await patiently(send, isOffline, given)
    isSaving.value = false
    if (came.is === 'done') return entered(came.data.data.id, name)
    const problem = came.failure.is === 'problem' ? came.failure.problem : undefined
    faults.value = (problem?.errors ?? []).map((fault) => atName(fault, names[0]!))
    if (problem?.code === 'admission_number_taken')
      faults.value = [{ pointer: '/admission_number', code: 'taken', detail: problem.detail }]
    if (faults.value.length === 0 || problem?.holder) failure.value = came.failure
  }

  function entered(id: number, name: string): void {
    if (isRegisterEmpty()) void loadClasses()
    if (inParts.value) usesNameParts.value = true
    const isShown = isLast.current
    const told = {
      text: () => texts().saved(isolated(name)),
      undo: async () => {
        const changeSet = await ownChangeSet(id)
        if (changeSet === undefined) return
        const said = { text: await undone(changeSet) }
        if (isShown) tellAt(studentsPath, said)
        else notice.value = said
      },
    }
    if (isShown) {
      openForms.clear()
      tellAt(studentPath(id), told)
      return
    }
    notice.value = told
    key.value = crypto.randomUUID()
    start.value = empty(typed.value['/class_id']!)
    typed.value = start.value
    failure.value = undefined
    focusFirst()
    void propose()
  }

  function switchName(): void {
    inParts.value = !inParts.value
    start.value = switched(start.value, inParts.value)
    typed.value = switched(typed.value, inParts.value)
    faults.value = []
    requestAnimationFrame(focusFirst)
  }

  /** A second click while it is saved may meet another button: the first one counts. */
  function saveAs(last: boolean): void {
    if (!isSaving.value) isLast.current = last
    void save()
  }

  /** This child is there already: what was typed goes along, and is offered as changes. */
  function openDouble(id: number): void {
    const own = Object.fromEntries(changed().map((at) => [at, typed.value[at]!]))
    typedFor.value = { id, visit: visit.value, typed: own }
    openForms.clear()
    goTo(studentPath(id))
  }

  const inputs = { typed: typed.value, faults: faults.value, onTyped: (next: Typed) => (typed.value = next) }
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.newStudent}>{say.title}</Title>
        <button type="button" class="plain" onClick={switchName}>
          {inParts.value ? say.wholeName : say.nameParts}
        </button>
      </div>
      <form
        class="form"
        ref={form}
        data-save
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          saveAs(false)
        }}
      >
        <Summary faults={faults.value} labelOf={labelOf} />
        <Refusal failure={failure.value} save={save} open={openDouble} />
        <div class={inParts.value ? 'pair' : ''}>
          {names.map((name) => (
            <ChildInput key={name} name={name} {...inputs} />
          ))}
        </div>
        {fields.map((name) => (
          <ChildInput key={name} name={name} {...inputs} />
        ))}
        {isSensitive && (
          <>
            <h2>{t().sections.guardians}</h2>
            <GuardianInputs {...inputs} />
            <GuardiansAsFor {...inputs} />
          </>
        )}
        <div class="actions">
          <SaveButton isSaving={isSaving.value}>{say.save}</SaveButton>
          {holdsChild() ? (
            <>
              <button type="button" aria-disabled={isSaving.value} onClick={() => saveAs(true)}>
                {say.saveLast}
              </button>
              <a href={studentsPath} data-cancel>
                {say.leave}
              </a>
            </>
          ) : (
            <a class="button" href={studentsPath} data-cancel>
              {say.done}
            </a>
          )}
        </div>
      </form>
    </>
  )
}

/** What the API is sent: what stays empty is left out. */
function bodyOf(fields: readonly ChildField[], typed: Typed): NewStudent {
  const values = fields
    .map((name) => [name, sentValue(name, typed[`/${name}`] ?? '')] as const)
    .filter(([, value]) => value !== null)
  const guardians = guardiansOf(typed)
  return { ...Object.fromEntries(values), ...(guardians && { guardians }) } as NewStudent
}
