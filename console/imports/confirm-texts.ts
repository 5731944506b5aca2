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
    title: (count) => plural.de(count, { one: 'Das ändert # Kind', other: 'Das ändert # Kinder' }),
    text: 'Das ist mehr als üblich. Wenn es so gemeint ist, tippen Sie die Zahl der geänderten Kinder.',
    label: 'Zahl der geänderten Kinder',
    wrong: (count) => `Tippen Sie ${count}.`,
  },
  ar: {
    title: (count) => `عدد الطلاب الذين يتغيرون: ${numberIn('ar', count)}`,
    text: 'هذا أكثر من المعتاد. إن كنت تقصده فاكتب عدد الطلاب الذين يتغيرون.',
    label: 'عدد الطلاب الذين يتغيرون',
    wrong: (count) => `اكتب ${count}.`,
  },
})
