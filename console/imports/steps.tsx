import { Steps } from '../parts/steps.tsx'
import { texts } from './texts.ts'

export type Step = keyof ReturnType<typeof texts>['steps']

/**
 * The steps of an import, and which of them this is.
 * @param end how it ended, where it did otherwise than well
 */
export const ImportSteps = ({ at, end }: { at: Step; end?: string | undefined }) => (
  <Steps label={texts().stepsLabel} names={{ ...texts().steps, ...(end && { done: end }) }} at={at} />
)
