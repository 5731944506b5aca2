import { Later } from '../parts/later.tsx'
import { newFieldIn } from './new-field.ts'
import type { TraitsProps } from './new-field-form.tsx'

interface GivenTraits extends Omit<TraitsProps, 'answer'> {
  readonly answer: TraitsProps['answer'] | undefined
}

const load = () => import('./new-field-form.tsx')

/** Where a column becomes a new field: its kind, and whether it is sensitive. */
export function NewFieldTraits({ answer, ...others }: GivenTraits) {
  const isNew = answer !== undefined && newFieldIn(answer) !== undefined
  return isNew ? <Later load={load} given={{ ...others, answer }} /> : null
}
