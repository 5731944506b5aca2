import { useId } from 'preact/hooks'

interface LayoutChoiceProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, label: string])[]
  readonly onChosen: (value: string) => void
}

/** One of a few choices of the toolbar. */
export function LayoutChoice({ label, value, choices, onChosen }: LayoutChoiceProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChosen(event.currentTarget.value)}>
        {choices.map(([one, label]) => (
          <option key={one} value={one} selected={one === value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}
