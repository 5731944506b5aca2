import { texts } from './texts.ts'

const steps = ['file', 'questions', 'check', 'done'] as const
export type Step = (typeof steps)[number]

/** The four steps, and which of them this is. */
export function Steps({ at }: { at: Step }) {
  return (
    <ol class="steps" aria-label={texts().stepsLabel}>
      {steps.map((step, i) => (
        <li key={step} aria-current={step === at ? 'step' : undefined}>
          {texts().step(i + 1, texts().steps[step])}
        </li>
      ))}
    </ol>
  )
}
