import { useSignal } from '@preact/signals'
import { studentPath } from '../frame/address.ts'
import { t } from '../language/language.ts'
import { sentenceOf } from '../parts/failed.tsx'
import { Name } from '../parts/name.tsx'
import type { guardianFields } from './form.ts'
import { ownChangeSet, type StudentRecord, undone } from './record.ts'
import { changeToo, type SharedChange, type Sharer } from './shared.ts'
import { texts } from './texts.ts'

/** What came of the change for one child. */
interface Told {
  readonly text: () => string
  readonly isDone: boolean
  readonly undo?: () => Promise<void>
}

/** A guardian who was changed is that of other children too: the same change is offered for them, each told apart. */
export function SharedChanges({ record }: { record: StudentRecord }) {
  const told = useSignal<Readonly<Record<string, Told>>>({})
  const left = useSignal<ReadonlySet<string>>(new Set())
  const isSaving = useSignal(false)
  const offered = record.offered.value
  const rows = offered.flatMap((change, i) =>
    change.sharers.map((sharer) => ({ key: `${i}-${sharer.id}`, change, sharer })),
  )
  const tell = (key: string, what: Told) => {
    told.value = { ...told.value, [key]: what }
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (isSaving.value) return
    isSaving.value = true
    for (const { key, change, sharer } of rows)
      if (!left.value.has(key) && !told.value[key]?.isDone) tell(key, await made(change, sharer))
    isSaving.value = false
    await record.findSharers() // some have the guardian as changed now
  }
  async function made(change: SharedChange, sharer: Sharer): Promise<Told> {
    const failed = await changeToo(change, sharer)
    if (failed === 'changed') return { text: () => texts().changedThere, isDone: false }
    if (failed !== undefined) return { text: () => sentenceOf(failed), isDone: false }
    const changeSet = await ownChangeSet(sharer.id)
    const key = `${offered.indexOf(change)}-${sharer.id}`
    const undo = async () => {
      tell(key, { text: await undone(changeSet!), isDone: true })
    }
    return { text: () => t().student.saved, isDone: true, ...(changeSet !== undefined && { undo }) }
  }
  function close(): void {
    told.value = {}
    left.value = new Set()
    record.offered.value = []
  }

  const isAll = rows.every(({ key }) => told.value[key]?.isDone || left.value.has(key))
  return (
    <div role="status">
      {rows.length > 0 && (
        <form class="check" onSubmit={(event) => void save(event)}>
          <strong>? {texts().alsoChange}</strong>
          <ul>
            {rows.map(({ key, change, sharer }) => (
              <li key={key}>
                <Row
                  id={`shared-${key}`}
                  change={change}
                  sharer={sharer}
                  told={told.value[key]}
                  isChosen={!left.value.has(key)}
                  onChosen={(isChosen) => {
                    const next = new Set(left.value)
                    if (isChosen) next.delete(key)
                    else next.add(key)
                    left.value = next
                  }}
                />
              </li>
            ))}
          </ul>
          <div class="actions">
            {!isAll && (
              <button type="submit" aria-disabled={isSaving.value}>
                {isSaving.value ? t().student.saving : texts().changeToo}
              </button>
            )}
            <button type="button" onClick={close}>
              {isAll ? texts().close : texts().notForThem}
            </button>
          </div>
        </form>
      )}
    </div>
  )
}

interface RowProps {
  readonly id: string
  readonly change: SharedChange
  readonly sharer: Sharer
  readonly told: Told | undefined
  readonly isChosen: boolean
  readonly onChosen: (isChosen: boolean) => void
}

/** One child: what would be changed there, or what came of it. */
function Row({ id, change: { changes }, sharer, told, isChosen, onChosen }: RowProps) {
  const names = Object.keys(changes) as (typeof guardianFields)[number][]
  const child = (
    <>
      <Name>{sharer.name}</Name>, <bdi>{sharer.class}</bdi>
    </>
  )
  if (told?.isDone)
    return (
      <span class="actions">
        <a href={studentPath(sharer.id)}>{child}</a> ✓ {told.text()}
        {told.undo && (
          <button type="button" class="plain" onClick={() => void told.undo?.()}>
            {t().student.undo}
          </button>
        )}
      </span>
    )
  return (
    <>
      <span class="choice">
        <input
          type="checkbox"
          id={id}
          checked={isChosen}
          onChange={({ currentTarget: { checked } }) => onChosen(checked)}
        />
        <label for={id}>{child}</label>
      </span>
      {names.map((name) => (
        <p key={name} class="change">
          <Name>{sharer.guardian.name}</Name>, {t().fields[name]}: <Value text={sharer.guardian[name]} />{' '}
          {t().arrow} <Value text={changes[name]} />
        </p>
      ))}
      {told && <p class="fault">× {told.text()}</p>}
    </>
  )
}

const Value = ({ text }: { text: string | null | undefined }) =>
  text ? <bdi>{text}</bdi> : <span class="quiet">{t().conflict.nothing}</span>
