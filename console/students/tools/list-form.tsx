import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { List } from '../../../client/src/index.ts'
import type { Failure } from '../../api/calls.ts'
import { address } from '../../frame/address.ts'
import { notice } from '../../frame/notice.tsx'
import { isolated } from '../../language/isolated.ts'
import { t } from '../../language/language.ts'
import { EditForm, faultsOf, type ReadRecord } from '../../parts/edit-form.tsx'
import { Failed } from '../../parts/failed.tsx'
import { TextField } from '../../parts/fields.tsx'
import { useLeaving } from '../../parts/leaving.ts'
import { change, listQuery } from '../query.ts'
import { fetchList, loadLists, makeList, patchList } from './lists.ts'
import { texts } from './texts.ts'

const told = (name: string) => {
  notice.value = { text: () => texts().saved(isolated(name)) }
}

/** Keeps the view under a name. */
export function NewList({ close }: { close: () => void }) {
  const name = useSignal('')
  const failure: Signal<Failure | undefined> = useSignal(undefined)
  const isSaving = useSignal(false)
  const key = useRef(crypto.randomUUID())
  useLeaving(() => name.value !== '')

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (isSaving.value) return
    isSaving.value = true
    const came = await makeList(name.value, listQuery(address.value.query), key.current)
    isSaving.value = false
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'failed') {
      // What was refused may be sent in other words; what was not heard of is the same once more.
      if (came.failure.is === 'problem') key.current = crypto.randomUUID()
      return
    }
    await loadLists()
    change({ list: String(came.data), page: address.value.query.get('page') ?? '' })
    told(name.value)
    name.value = ''
    close()
  }
  const faults = failure.value ? faultsOf(failure.value) : []
  return (
    <form class="form" data-save onSubmit={save} noValidate>
      {failure.value && faults.length === 0 && <Failed what={t().failed.save} failure={failure.value} />}
      <TextField
        focus
        label={texts().name}
        pointer="/name"
        value={name.value}
        faults={faults}
        onValue={(value) => (name.value = value)}
      />
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isSaving.value} aria-keyshortcuts="Control+S">
          {isSaving.value ? t().student.saving : t().student.save}
        </button>
        <button type="button" data-cancel onClick={close}>
          {t().student.cancel}
        </button>
      </div>
    </form>
  )
}

/** Calls a list something else. */
export function RenameList({ list, close }: { list: List; close: () => void }) {
  const opened: Signal<ReadRecord<List> | undefined> = useSignal(undefined)
  const failure: Signal<Failure | undefined> = useSignal(undefined)
  async function read(): Promise<void> {
    const came = await fetchList(list.id)
    failure.value = came.is === 'failed' ? came.failure : undefined
    if (came.is === 'done') opened.value = came.data
  }
  useEffect(() => void read(), [])
  if (failure.value)
    return <Failed what={t().failed.load} failure={failure.value} again={() => void read()} />
  if (opened.value === undefined) return null
  return (
    <EditForm<List>
      opened={opened.value}
      takesFocus
      typedOf={({ name }) => ({ '/name': name })}
      labelOf={() => texts().name}
      fetch={() => fetchList(list.id)}
      send={(typed, _changed, { tag }) => patchList(list.id, { name: typed['/name'] ?? '' }, tag)}
      onSaved={async ({ record }) => {
        await loadLists() // a list that is put elsewhere would lose the focus
        told(record.name)
        close()
      }}
      close={close}
      inputs={({ typed, onTyped, faults }) => (
        <TextField
          label={texts().name}
          pointer="/name"
          value={typed['/name'] ?? ''}
          faults={faults}
          onValue={(value) => onTyped({ ...typed, '/name': value })}
        />
      )}
    />
  )
}
