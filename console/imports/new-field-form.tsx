import { kindTexts } from '../fields/kind-texts.ts'
import { SensitiveBox } from '../fields/sensitive-box.tsx'
import { idOf, SelectField } from '../parts/fields.tsx'
import { newFieldAnswer, newFieldIn, newKinds } from './new-field.ts'

export interface TraitsProps {
  readonly answer: string | number
  readonly take: (answer: string) => void
  /** What tells it from others on the page. */
  readonly name: string
}

/** Below the answer that a column becomes a new field: its kind, and whether it is sensitive. */
export function Screen({ answer, take, name }: TraitsProps) {
  const field = newFieldIn(answer)!
  const { kinds, kind, kindStays } = kindTexts()
  return (
    <div class="traits">
      <SelectField
        label={kind}
        pointer={`/kind-${name}`}
        hint={kindStays}
        value={field.kind}
        options={newKinds.map((one) => [one, kinds[one]])}
        onValue={(value) =>
          take(newFieldAnswer({ ...field, kind: newKinds.find((one) => one === value) ?? 'text' }))
        }
      />
      <SensitiveBox
        id={idOf(`/sensitive-${name}`)}
        isTicked={field.isSensitive}
        onTick={(isSensitive) => take(newFieldAnswer({ ...field, isSensitive }))}
      />
    </div>
  )
}
