import { textsOf } from '../language/language.ts'
import { numberIn, plural } from '../language/plurals.ts'

/** What a step does to very many: it changes students, or takes an import back. */
export type Confirmed = 'change' | 'takeBack'

interface StepTexts {
  readonly title: (count: number) => string
  readonly text: string
  readonly label: string
}

interface ConfirmTexts extends Readonly<Record<Confirmed, StepTexts>> {
  readonly wrong: (count: number) => string
}

/** What is said where an import changes very many students, or is taken back with very many. */
export const confirmTexts = textsOf<ConfirmTexts>({
  en: {
    change: {
      title: (count) => plural.en(count, { one: 'This changes # student', other: 'This changes # students' }),
      text: 'That is more than usual. If you mean it, type the number of changed students.',
      label: 'Number of changed students',
    },
    takeBack: {
      title: (count) => plural.en(count, { one: 'This takes # row back', other: 'This takes # rows back' }),
      text: 'A take back cannot be undone. If you mean it, type the number of rows.',
      label: 'Number of rows',
    },
    wrong: (count) => `Type ${count}.`,
  },
  de: {
    change: {
      title: (count) =>
        plural.de(count, { one: 'Das ändert Angaben zu # Kind', other: 'Das ändert Angaben zu # Kindern' }),
      text: 'Das ist mehr als üblich. Wenn es so gemeint ist, tippen Sie die Zahl der Kinder mit Änderungen.',
      label: 'Zahl der Kinder mit Änderungen',
    },
    takeBack: {
      title: (count) =>
        plural.de(count, { one: 'Das nimmt # Zeile zurück', other: 'Das nimmt # Zeilen zurück' }),
      text: 'Das Zurücknehmen lässt sich nicht rückgängig machen. Wenn es so gemeint ist, tippen Sie die Zahl der Zeilen.',
      label: 'Zahl der Zeilen',
    },
    wrong: (count) => `Tippen Sie ${count}.`,
  },
  ar: {
    change: {
      title: (count) => `عدد الطلاب الذين ستُعدَّل بياناتهم: ${numberIn('ar', count)}`,
      text: 'هذا أكثر من المعتاد. إن كنت تقصده فاكتب عدد الطلاب الذين ستُعدَّل بياناتهم.',
      label: 'عدد الطلاب الذين ستُعدَّل بياناتهم',
    },
    takeBack: {
      title: (count) => `عدد الأسطر التي سيُتراجع عنها: ${numberIn('ar', count)}`,
      text: 'لا يمكن إلغاء التراجع. إن كنت تقصده فاكتب عدد الأسطر.',
      label: 'عدد الأسطر',
    },
    wrong: (count) => `اكتب ${count}.`,
  },
})
