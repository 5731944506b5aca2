import type { AboutTexts } from './en.ts'

export const ar: AboutTexts = {
  server: 'الخادم',
  version: 'الإصدار',
  engine: 'قاعدة البيانات',
  engines: { sqlite: 'SQLite', postgres: 'PostgreSQL' },
  size: 'حجم قاعدة البيانات',
  health: 'الحالة',
  well: 'كل شيء على ما يرام.',
  ill: 'هناك خلل.',
  lastBackup: 'آخر نسخة احتياطية',
  noBackup: 'لا يعرف Registrar أي نسخة.',
  noBackupSqlite:
    'ينشئها مشغّل الخادم بالأمر «\u2066registrar backup FILE\u2069». ولا تُعرف هنا النسخ التي تنشئها برامج أخرى.',
  noBackupPostgres: 'تُنسخ بيانات PostgreSQL احتياطيًا بأدواتها الخاصة. اسأل مشغّل الخادم.',
  settings: 'الإعدادات',
  safe: 'لم يُعثر على إعداد غير آمن.',
  unsafe: 'اطلب من مشغّل الخادم تغيير هذه.',
  names: (settings) => `الإعدادات: ${settings}`,
  dangers: {
    strangers_get_role:
      'كل من يصل إلى هذا الخادم يمكنه إنشاء حساب ويحصل على دور فورًا. الحل: DEFAULT_ROLE=none أو REGISTRATION=closed.',
    weak_passwords:
      'تُقبل كلمات مرور يسهل تخمينها، ويمكن لآخرين الوصول إلى هذا الخادم. الحل: PASSWORD_POLICY=strict.',
    proxy_not_trusted:
      'جئت عبر وكيل لا تذكره الإعدادات. من يجرّب كلمات مرور كثيرة يجعل الجميع ينتظرون. الحل: اضبط TRUST_PROXY على عدد الوكلاء أو عناوينهم.',
    any_origin: 'يمكن لأي صفحة في الشبكة قراءة ما يحق لزائرها قراءته هنا. الحل: اذكر صفحاتك في CORS_ORIGINS.',
    database_in_the_open:
      'تنتقل القيود إلى قاعدة بيانات على جهاز آخر بلا حماية. الحل: أضف sslmode=verify-full إلى DATABASE_URL.',
  },
}
