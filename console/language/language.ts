import { computed, effect, signal } from '@preact/signals'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'
import { isolated } from './isolated.ts'

export const languages = { en, de, ar } as const satisfies Record<string, Texts>
export type Code = keyof typeof languages

const kept = 'registrar.language'

/** What was chosen here before, else the first of the browser's languages that there is. */
function firstCode(): Code {
  const wanted = [localStorage.getItem(kept) ?? '', ...navigator.languages].map((one) => one.split('-')[0]!)
  return (wanted.find((one) => one in languages) as Code | undefined) ?? 'en'
}

/** The language that is shown. */
export const code = signal<Code>(firstCode())

const texts = computed<Texts>(() => languages[code.value])

/** The texts of the language that is shown; what reads them is drawn anew when that changes. */
export const t = (): Texts => texts.value

/** The texts of a room that has its own. */
export const textsOf = <Own>(catalogues: Readonly<Record<Code, Own>>) => {
  const own = computed(() => catalogues[code.value])
  return (): Own => own.value
}

/** Words in a row, inside of a sentence. */
export const listed = (words: readonly string[]) => words.join(t().comma)

/** Names, numbers and days in a row: the direction of none tears another apart. */
export const listedApart = (words: readonly string[]) => listed(words.map(isolated))

/** For `Intl`: Gregorian days and Latin digits in every language; English writes the day first. */
export const locale = computed(() => `${code.value === 'en' ? 'en-GB' : code.value}-u-ca-gregory-nu-latn`)

export function choose(next: Code): void {
  code.value = next
  localStorage.setItem(kept, next)
}

effect(() => {
  document.documentElement.lang = code.value
  document.documentElement.dir = code.value === 'ar' ? 'rtl' : 'ltr'
})
