import type { NewStudentTexts } from './en.ts'

export const ar: NewStudentTexts = {
  title: 'طالب جديد',
  save: 'حفظ وإدخال التالي',
  wholeName: 'حقل واحد للاسم كاملًا',
  nameParts: 'الاسم الأول واسم العائلة منفصلين',
  saveLast: 'حفظ وإنهاء',
  leave: 'الخروج دون حفظ',
  done: 'تم',
  saved: (name) => `تم إدخال ${name}.`,
  open: 'فتح',
  taken: (name, label) => `هذا الرقم لدى ${name}، ${label}.`,
  double: 'يوجد طالب مثل هذا.',
  thisChild: 'هذا الطالب: فتح',
  anotherChild: 'طالب آخر: حفظ',
}
