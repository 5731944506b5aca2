import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Class } from '../../client/src/index.ts'
import type { Outcome } from '../api/calls.ts'
import { printPath, studentsPath } from '../frame/address.ts'
import { isolated } from '../language/isolated.ts'
import { t } from '../language/language.ts'
import { EditForm, type ReadRecord } from '../parts/edit-form.tsx'
import { TextField } from '../parts/fields.tsx'
import { useReturn } from '../parts/leaving.ts'
import { Name } from '../parts/name.tsx'
import { loadClasses, may, mayForAll } from '../session/session.ts'
import { act, change, fetchClass, mayManage, tell } from './changes.ts'
import { texts } from './texts.ts'

interface RowProps {
  readonly shown: Class
  /** Told what an action of the row failed of, or that it did not. */
  readonly onDone: (failure: Awaited<ReturnType<typeof act>>) => void
}

/** A class: its name, how many are in it, and what can be done with it. */
export function Row({ shown, onDone }: RowProps) {
  const { id, label, students, archived } = shown
  const opened = useSignal<ReadRecord<Class> | undefined>(undefined)
  const button = useRef<HTMLButtonElement>(null)
  const say = texts()

  async function open(): Promise<void> {
    const came: Outcome<ReadRecord<Class>> = await fetchClass(id)
    onDone(came.is === 'failed' ? came.failure : undefined)
    if (came.is === 'done') opened.value = came.data
  }
  function close(): void {
    opened.value = undefined
  }
  useReturn(opened.value !== undefined, () => button.current)
  async function put(what: Parameters<typeof act>[1], done: () => string): Promise<void> {
    const failure = await act(shown, what)
    await loadClasses()
    onDone(failure)
    if (failure === undefined) await tell(done, [id])
  }

  if (opened.value)
    return (
      <tr>
        <td colSpan={3} class="open">
          <EditForm
            opened={opened.value}
            takesFocus
            typedOf={(record) => ({ '/label': record.label })}
            labelOf={() => say.rename}
            fetch={() => fetchClass(id)}
            send={(typed, _, { tag }) => change(id, { label: typed['/label'] ?? '' }, tag)}
            onSaved={async () => {
              close()
              await loadClasses()
              await tell(() => t().student.saved, [id])
            }}
            close={close}
            inputs={({ typed, faults, onTyped }) => (
              <TextField
                label={say.rename}
                pointer="/label"
                value={typed['/label'] ?? ''}
                faults={faults}
                onValue={(value) => onTyped({ '/label': value })}
              />
            )}
          />
        </td>
      </tr>
    )
  return (
    <tr>
      <td>
        <strong class="name">
          <Name>{label}</Name>
        </strong>
      </td>
      <td class="number short">
        {students > 0 && may('students.view') ? (
          <a href={`${studentsPath}?class=${id}`} aria-label={`${say.studentsOf(label)}: ${students}`}>
            {students}
          </a>
        ) : (
          <span class={students === 0 ? 'quiet' : undefined}>{students}</span>
        )}
      </td>
      <td class="does">
        {students > 0 && may('students.view') && (
          <a
            class="button plain"
            aria-label={say.printOf(label)}
            href={printPath({ as: 'classes', class: String(id) })}
          >
            {t().screens.print}
          </a>
        )}
        {mayForAll('classes.manage') && (
          <button
            type="button"
            class="plain"
            ref={button}
            aria-label={say.changeOf(label)}
            onClick={() => void open()}
          >
            {say.change}
          </button>
        )}
        {mayManage(id) && (
          <button
            type="button"
            class="plain"
            aria-label={archived ? say.restoreOf(label) : say.archiveOf(label)}
            onClick={() =>
              void put({ archived: !archived }, () =>
                archived ? texts().wasRestored(isolated(label)) : texts().wasArchived(isolated(label)),
              )
            }
          >
            {archived ? say.restore : say.archive}
          </button>
        )}
        {mayForAll('classes.manage') && students === 0 && (
          <button
            type="button"
            class="plain"
            aria-label={say.removeOf(label)}
            onClick={() => void put('remove', () => texts().wasRemoved(isolated(label)))}
          >
            {say.remove}
          </button>
        )}
      </td>
    </tr>
  )
}
