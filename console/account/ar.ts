import { plural } from '../language/plurals.ts'
import type { OwnTexts } from './en.ts'

export const ar: OwnTexts = {
  name: 'الاسم',
  email: 'البريد الإلكتروني',
  roles: 'الأدوار',
  noRole: 'لا شيء بعد',
  password: 'كلمة المرور',
  passwordText: 'عند تغييرها تنتهي كل الجلسات الأخرى لحسابك.',
  current: 'كلمة المرور الحالية',
  next: 'كلمة المرور الجديدة',
  change: 'تغيير كلمة المرور',
  changed: 'غُيّرت كلمة المرور.',
  sessions: 'أماكن تسجيل دخولك',
  device: 'المتصفح أو البرنامج',
  since: 'تسجيل الدخول',
  used: 'آخر استخدام',
  address: 'من العنوان',
  here: 'هنا',
  unknown: 'غير معروف',
  end: 'تسجيل الخروج',
  endOf: (device, since) => `تسجيل الخروج: ${device}، ${since}`,
  endOthers: 'تسجيل الخروج من كل مكان آخر',
  ended: (count) =>
    plural.ar(count, {
      zero: 'لم تكن هناك جلسات أخرى.',
      one: 'أُنهيت جلسة واحدة.',
      two: 'أُنهيت جلستان.',
      few: 'أُنهيت # جلسات.',
      many: 'أُنهيت # جلسة.',
      other: 'أُنهيت # جلسة.',
    }),
  on: (browser, system) => `${browser} على ${system}`,
}
