import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { createStudent, type FieldFault, getNextNumber, type NewStudent } from '../../client/src/index.ts'
import { call, type Failure } from '../api/calls.ts'
import { openForms, studentsPath } from '../frame/address.ts'
import { notice } from '../frame/notice.tsx'
import { isolated, t } from '../language/language.ts'
import { Summary } from '../parts/fields.tsx'
import { Title } from '../parts/title.tsx'
import { classes, may } from '../session/session.ts'
import { type ChildField, emptyFaults, guardiansOf, sentValue, type Typed } from '../student/form.ts'
import { ChildInput, GuardianInputs } from '../student/inputs.tsx'
import { ownChangeSet, undone } from '../student/record.ts'
import { labelOf } from '../student/section-form.tsx'
import { found } from '../students/found.ts'
import { Refusal } from './refusal.tsx'

const plainFields: readonly ChildField[] = ['name', 'admission_number', 'class_id']
const withSensitive: readonly ChildField[] = ['name', 'date_of_birth', 'admission_number', 'class_id']

/** A new student. After each one the form is there for the next child: the class stays, the next number is proposed. */
export function NewStudentScreen() {
  const texts = t().newStudent
  const isSensitive = may('students.sensitive')
  const fields = isSensitive ? withSensitive : plainFields
  const filtered = found.value?.query.classIds[0]
  const firstClass = String(filtered ?? classes.value.find(({ archived }) => !archived)?.id ?? '')
  const empty = (classId: string, number: string): Typed => ({
    ...Object.fromEntries(fields.map((name) => [`/${name}`, ''])),
    '/class_id': classId,
    '/admission_number': number,
    ...(isSensitive && { '/guardians/0/name': '', '/guardians/0/phone': '' }),
  })
  const typed = useSignal<Typed>(empty(firstClass, ''))
  /** Made when the form opens, so that sending it twice makes one child. */
  const key = useSignal(crypto.randomUUID())
  const faults = useSignal<readonly FieldFault[]>([])
  const failure = useSignal<Failure | undefined>(undefined)
  const isSaving = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  const focusFirst = () => form.current?.querySelector<HTMLElement>('input')?.focus()

  /** Proposes a number where none was typed meanwhile. */
  async function propose(): Promise<void> {
    const came = await call(() => getNextNumber())
    if (came.is === 'done' && typed.value['/admission_number'] === '')
      typed.value = { ...typed.value, '/admission_number': came.data.data.admission_number }
  }
  useLayoutEffect(() => {
    focusFirst()
    void propose()
    const isTyped = () => typed.value['/name']!.trim() !== ''
    openForms.add(isTyped)
    return () => void openForms.delete(isTyped)
  }, [])

  async function save(otherThan?: readonly number[]): Promise<void> {
    if (isSaving.value) return
    faults.value = emptyFaults(typed.value)
    if (faults.value.length > 0) return
    isSaving.value = true
    failure.value = undefined
    const body = bodyOf(fields, typed.value)
    const came = await call(() =>
      createStudent({
        body,
        headers: { 'Idempotency-Key': key.value },
        query: otherThan ? { other_than: [...otherThan] } : { duplicates: 'refuse' },
      } as Parameters<typeof createStudent>[0]),
    )
    isSaving.value = false
    if (came.is === 'done') return entered(came.data.data.id, body.name ?? '')
    const problem = came.failure.is === 'problem' ? came.failure.problem : undefined
    faults.value = problem?.errors ?? []
    if (problem?.code === 'admission_number_taken')
      faults.value = [{ pointer: '/admission_number', code: 'taken', detail: problem.detail }]
    if (faults.value.length === 0 || problem?.holder) failure.value = came.failure
  }

  function entered(id: number, name: string): void {
    notice.value = {
      text: texts.saved(isolated(name)),
      undo: async () => {
        const changeSet = await ownChangeSet(id)
        if (changeSet !== undefined) notice.value = { text: await undone(changeSet) }
      },
    }
    key.value = crypto.randomUUID()
    typed.value = empty(typed.value['/class_id']!, '')
    failure.value = undefined
    focusFirst()
    void propose()
  }

  const inputs = { typed: typed.value, faults: faults.value, onTyped: (next: Typed) => (typed.value = next) }
  return (
    <>
      <div class="heading">
        <Title screen={t().screens.newStudent}>{texts.title}</Title>
      </div>
      <form
        class="form"
        ref={form}
        data-save
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Summary faults={faults.value} labelOf={labelOf} />
        <Refusal failure={failure.value} save={save} />
        {fields.map((name) => (
          <ChildInput key={name} name={name} {...inputs} />
        ))}
        {isSensitive && (
          <>
            <h2>{t().sections.guardians}</h2>
            <GuardianInputs {...inputs} />
          </>
        )}
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isSaving.value} aria-keyshortcuts="Control+S">
            {texts.save}
          </button>
          <a class="button" href={studentsPath} data-cancel>
            {texts.done}
          </a>
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
