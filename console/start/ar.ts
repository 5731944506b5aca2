import { plural } from '../language/plurals.ts'
import type { StartTexts } from './en.ts'

export const ar: StartTexts = {
  label: 'الخطوات',
  steps: { school: 'المدرسة', classes: 'الصفوف', students: 'الطلاب' },
  school: 'ما اسم مدرستك؟ يمكن تغيير كل هذا لاحقًا تحت «المدرسة».',
  saveOn: 'حفظ ومتابعة',
  skip: 'تخطٍّ',
  classes: (count) =>
    plural.ar(count, {
      zero: 'لا توجد صفوف:',
      one: 'يوجد صف واحد:',
      two: 'يوجد صفّان:',
      few: 'توجد # صفوف:',
      many: 'يوجد # صفًا:',
      other: 'يوجد # صف:',
    }),
  noClasses: 'لا توجد صفوف بعد.',
  ask: 'هل هذه صفوفكم؟',
  ways: { keep: 'إبقاؤها', rename: 'تغيير أسمائها', replace: 'استعمال قائمتي' },
  on: 'متابعة',
  students: 'والآن الطلاب. لا يُكتب شيء من الاستيراد قبل أن تراه.',
  later: 'لاحقًا: إلى الطلاب',
}
