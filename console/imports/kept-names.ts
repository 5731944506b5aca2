import { textsOf } from '../language/language.ts'

/** What is said of choices by which a child is the same, and the name stays as the record has it. */
export const keptNames = textsOf<{ one(who: string): string; readonly all: string }>({
  en: {
    one: (who) => `Same child as ${who}, and the name stays`,
    all: 'The same for all, and their names stay',
  },
  de: {
    one: (who) => `Dasselbe Kind wie ${who}, und der Name bleibt`,
    all: 'Ebenso bei allen, und ihre Namen bleiben',
  },
  ar: {
    one: (who) => `الطالب نفسه: ${who}، ويبقى الاسم كما هو`,
    all: 'الاختيار نفسه للكل، وتبقى أسماؤهم كما هي',
  },
})
