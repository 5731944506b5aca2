import { textsOf } from '../language/language.ts'
import { numberIn, plural } from '../language/plurals.ts'

interface ConfirmTexts {
  readonly title: (count: number) => string
  readonly text: string
  readonly label: string
  readonly wrong: (count: number) => string
}

/** What is said where an import changes very many students. */
export const confirmTexts = textsOf<ConfirmTexts>({
  en: {
    title: (count) => plural.en(count, { one: 'This changes # student', other: 'This changes # students' }),
    text: 'That is more than usual. If you mean it, type the number of changed students.',
    label: 'Number of changed students',
    wrong: (count) => `Type ${count}.`,
  },
  de: {
    title: (count) =>
      plural.de(count, { one: 'Das ändert Angaben zu # Kind', other: 'Das ändert Angaben zu # Kindern' }),
    text: 'Das ist mehr als üblich. Wenn es so gemeint ist, tippen Sie die Zahl der Kinder mit Änderungen.',
    label: 'Zahl der Kinder mit Änderungen',
    wrong: (count) => `Tippen Sie ${count}.`,
  },
  ar: {
    title: (count) => `عدد الطلاب الذين ستُعدَّل بياناتهم: ${numberIn('ar', count)}`,
    text: 'هذا أكثر من المعتاد. إن كنت تقصده فاكتب عدد الطلاب الذين ستُعدَّل بياناتهم.',
    label: 'عدد الطلاب الذين ستُعدَّل بياناتهم',
    wrong: (count) => `اكتب ${count}.`,
  },
})
