import type { TodayTexts } from './en.ts'

export const ar: TodayTexts = {
  toLook: 'للمراجعة',
  watched: {
    birth: 'بلا تاريخ ميلاد',
    phone: 'بلا رقم هاتف لوليّ الأمر',
    doubles: 'طلاب قد يكونون مكررين',
    imports: 'عمليات استيراد غير مكتملة',
    classImports: 'عمليات استيراد صفوف غير مكتملة',
  },
  printClass: 'طباعة الصف',
  printClasses: 'طباعة كل الصفوف',
  byClass: 'الطلاب حسب الصف',
  class: 'الصف',
  students: 'الطلاب',
  allClasses: (count) => `عرض كل الصفوف، وعددها ${count}`,
  latest: 'آخر ما غيّرته',
  none: 'لم تغيّر شيئًا بعد.',
  more: 'المزيد في سجل التغييرات',
}
