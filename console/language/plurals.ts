/** What a word is for a number, by the plural forms of a language (Unicode CLDR). */
type Forms<Form extends Intl.LDMLPluralRule> = Readonly<Record<Form, string>>

const rules = {
  en: new Intl.PluralRules('en'),
  de: new Intl.PluralRules('de'),
  ar: new Intl.PluralRules('ar'),
}

/** Numbers are shown with Latin digits in every language. */
const numbers = {
  en: new Intl.NumberFormat('en'),
  de: new Intl.NumberFormat('de'),
  ar: new Intl.NumberFormat('ar-u-nu-latn'),
}

function pick<Form extends Intl.LDMLPluralRule>(
  code: keyof typeof rules,
  count: number,
  forms: Forms<Form>,
): string {
  const form = rules[code].select(count) as Form
  return forms[form].replace('#', numbers[code].format(count))
}

type Two = 'one' | 'other'
type Six = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'

/** The form for this number, with the number in the place of `#`. */
export const plural = {
  en: (count: number, forms: Forms<Two>) => pick('en', count, forms),
  de: (count: number, forms: Forms<Two>) => pick('de', count, forms),
  ar: (count: number, forms: Forms<Six>) => pick('ar', count, forms),
}

const lists = {
  en: new Intl.ListFormat('en-GB'),
  de: new Intl.ListFormat('de'),
  ar: new Intl.ListFormat('ar'),
}

/** Words in a row, the last behind an "and". */
export const and = {
  en: (words: readonly string[]) => lists.en.format(words),
  de: (words: readonly string[]) => lists.de.format(words),
  ar: (words: readonly string[]) => lists.ar.format(words),
}

export const numberIn = (code: keyof typeof numbers, count: number) => numbers[code].format(count)
