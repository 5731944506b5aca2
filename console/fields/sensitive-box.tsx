import { kindTexts } from './kind-texts.ts'

interface SensitiveBoxProps {
  readonly id: string
  readonly isTicked: boolean
  readonly onTick: (isTicked: boolean) => void
}

/** Whether a field is sensitive. */
export function SensitiveBox({ id, isTicked, onTick }: SensitiveBoxProps) {
  const say = kindTexts()
  return (
    <div class="choice">
      <input
        type="checkbox"
        id={id}
        checked={isTicked}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget: { checked } }) => onTick(checked)}
      />
      <span>
        <label for={id}>{say.sensitive}</label>{' '}
        <span class="hint" id={`${id}-hint`}>
          {say.sensitiveHint}
        </span>
      </span>
    </div>
  )
}
