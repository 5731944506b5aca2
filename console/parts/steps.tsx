/** The steps of something that is done in several, and which of them this is. */
export function Steps<Step extends string>({
  label,
  names,
  at,
}: {
  label: string
  names: Readonly<Record<Step, string>>
  at: Step
}) {
  return (
    <ol class="steps" aria-label={label}>
      {(Object.keys(names) as Step[]).map((step, i) => (
        <li key={step} aria-current={step === at ? 'step' : undefined}>
          {i + 1} <bdi>{names[step]}</bdi>
        </li>
      ))}
    </ol>
  )
}
