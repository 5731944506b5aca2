import type { SchoolTexts } from './en.ts'

export const ar: SchoolTexts = {
  name: 'الاسم',
  nameHint: 'يظهر أعلى كل صفحة وعلى كل ما يُطبع.',
  address: 'العنوان',
  timeZone: 'المنطقة الزمنية',
  timeZoneNow: (now) => `الوقت في هذه المنطقة الآن ${now}.`,
  timeZoneHint: (example) => `مثلًا ${example}.`,
  nameOrder: 'ترتيب الأسماء',
  nameOrderHint: 'للطلاب الذين تُدخل أجزاء أسمائهم فقط، من الآن فصاعدًا.',
  orders: {
    given_first: 'الاسم الأول أولًا: Zoë Müller',
    family_first: 'اسم العائلة أولًا: Müller Zoë',
  },
}
