import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect } from 'preact/hooks'
import { t } from '../language/language.ts'
import { change, type ListQuery } from '../students/query.ts'
import { type Layout, type ListKind, mostExtra } from './layout.ts'
import { LayoutChoice } from './layout-choice.tsx'
import { usualTitle } from './sheets.ts'
import { texts } from './texts.ts'

interface LayoutFieldsProps {
  readonly kind: ListKind
  readonly view: ListQuery
  readonly layout: Layout
}

/** How a list is laid out: each choice stands in the address at once. */
export function LayoutFields({ kind, view, layout }: LayoutFieldsProps) {
  const say = texts()
  const { title, paper, rowsPerPage, ticks, blanks, heads } = layout
  const counts = Array.from(
    { length: mostExtra + 1 },
    (_, n) => [`${n}`, n === 0 ? say.none : `${n}`] as const,
  )
  return (
    <>
      <LayoutText
        label={say.title}
        value={title}
        placeholder={usualTitle(kind, view).join(' · ') || t().fields.class}
        maxLength={100}
        onTyped={(text) => change({ title: text })}
      />
      <LayoutChoice
        label={say.ticks}
        value={`${ticks}`}
        choices={counts}
        onChosen={(count) => change({ ticks: count })}
      />
      <LayoutChoice
        label={say.blanks}
        value={`${blanks}`}
        choices={counts}
        onChosen={(count) => change({ blanks: count })}
      />
      {ticks + blanks > 0 && (
        <LayoutText
          label={say.heads}
          value={heads.join(', ')}
          placeholder={say.headsHint}
          maxLength={200}
          onTyped={(text) => change({ heads: text })}
        />
      )}
      <LayoutChoice
        label={say.paper}
        value={paper}
        choices={[
          ['portrait', say.papers.portrait],
          ['landscape', say.papers.landscape],
        ]}
        onChosen={(paper) => change({ paper })}
      />
      <LayoutText
        label={say.rows}
        value={rowsPerPage === undefined ? '' : String(rowsPerPage)}
        placeholder={say.rowsHint}
        maxLength={3}
        inputMode="numeric"
        onTyped={(count) => change({ rows: count || '0' })}
      />
    </>
  )
}

interface LayoutTextProps {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly maxLength: number
  readonly inputMode?: 'numeric'
  readonly onTyped: (text: string) => void
}

/** A text of the toolbar. It holds when the field is left, or with Enter: the sheet is laid out anew then. */
function LayoutText({ label, value, placeholder, maxLength, inputMode, onTyped }: LayoutTextProps) {
  const id = useId()
  const typed = useSignal(value)
  useLayoutEffect(() => {
    typed.value = value
  }, [value])
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        dir="auto"
        autocomplete="off"
        value={typed.value}
        placeholder={placeholder}
        maxLength={maxLength}
        inputMode={inputMode}
        onInput={(event) => (typed.value = event.currentTarget.value)}
        onChange={() => onTyped(typed.value.trim())}
      />
    </div>
  )
}
