import { plural } from '../language/plurals.ts'

/** The texts of possible doubles. The other languages have the type of this one. */
export const en = {
  count: (count: number) => plural.en(count, { one: '# pair', other: '# pairs' }),
  intro:
    'Two children may be one who was entered twice. If they are two, say so: the pair is not shown again. Two records cannot be joined. A record that was entered twice is taken back in the log, for 30 days.',
  none: 'No two children look like one.',
  searching: 'Looking for pairs …',
  reasons: {
    same_name_and_date: 'The same name and date of birth',
    similar_name_and_date: 'Similar names, and the same date of birth',
    same_name_and_class: 'The same name and class, no date of birth',
  },
  settle: 'Two children',
  settled: (one: string, other: string) => `${one} and ${other} are two children.`,
  again: 'The pair is shown again.',
}

export type DoublesTexts = typeof en
