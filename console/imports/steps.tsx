import { Steps } from '../parts/steps.tsx'
import { texts } from './texts.ts'

export type Step = keyof ReturnType<typeof texts>['steps']

/** The steps of an import, and which of them this is. */
export const ImportSteps = ({ at }: { at: Step }) => (
  <Steps label={texts().stepsLabel} names={texts().steps} at={at} />
)
