import { ChangeSet } from './change-set.tsx'
import { bySet } from './query.ts'
import type { ShownEntries } from './use-entries.ts'

interface ChangeListProps {
  readonly shown: ShownEntries
  /** As `ChangeSet` has it. */
  readonly isBrief?: boolean
  /** Told when something was undone. */
  readonly onUndone?: () => void
}

/** Changes, one change set after the other, each with its undo. */
export function ChangeList({ shown, isBrief = false, onUndone }: ChangeListProps) {
  const { value: undone } = shown.undone
  return (
    <ol class="history">
      {bySet(shown.found.value?.entries ?? []).map((set) => {
        const id = set[0]!.change_set_id
        return (
          <ChangeSet
            key={id}
            entries={set}
            isBrief={isBrief}
            undone={undone?.id === id ? undone.result : undefined}
            onUndone={(result) => {
              void shown.onUndone(id, result)
              onUndone?.()
            }}
          />
        )
      })}
    </ol>
  )
}
