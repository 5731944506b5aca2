import { type Code, choose, code, languages, t } from '../language/language.ts'

/** Chooses the language; each stands there by its own name. */
export function LanguageChoice() {
  return (
    <select
      class="narrow"
      aria-label={t().language}
      value={code.value}
      onChange={(event) => choose(event.currentTarget.value as Code)}
    >
      {Object.entries(languages).map(([one, { name }]) => (
        <option key={one} value={one} lang={one} selected={one === code.value}>
          {name}
        </option>
      ))}
    </select>
  )
}
