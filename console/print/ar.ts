import { numberIn } from '../language/plurals.ts'
import type { PrintTexts } from './en.ts'

const n = (count: number) => numberIn('ar', count)

export const ar: PrintTexts = {
  kinds: {
    list: 'هذه القائمة',
    classes: 'صفحة لكل صف',
    photo: 'يوم التصوير',
    record: 'السجل',
    confirmation: 'إفادة قيد',
  },
  withTicks: 'مع مربعات للتأشير',
  withBlanks: 'مع أعمدة فارغة',
  what: 'المطبوع',
  title: 'العنوان',
  ticks: 'مربعات للتأشير',
  blanks: 'أعمدة فارغة',
  none: 'بلا',
  heads: 'رؤوس هذه الأعمدة',
  headsHint: 'افصل بينها بفواصل: الأحد، الاثنين',
  paper: 'الورق',
  papers: { portrait: 'طولي', landscape: 'عرضي' },
  rows: 'الطلاب في الصفحة',
  rowsHint: 'بقدر ما تتسع له',
  back: 'رجوع',
  hint: 'اختر A4 أو Letter في نافذة الطباعة، وألغِ فيها الرأس والتذييل.',
  reading: (read, total) => `قُرئ ${n(read)} من ${n(total)}.`,
  unfinished: 'لم يكتمل الطلاب هنا بعد، فلا يُطبع شيء.',
  changing: 'تتغيّر القائمة أثناء قراءتها.',
  tooMany: (most) => `لا يُطبع أكثر من ${n(most)} من الطلاب دفعة واحدة. رشّح القائمة أو صدّرها.`,
  place: 'م',
  photoHeads: ['صورة', 'ملاحظة'],
  keep: (name) => `حفظ هذا التنسيق مع ${name}`,
  kept: (name) => `حُفظ التنسيق مع ${name}.`,
  confirms: 'نفيد بأن الطالب المذكور أدناه مقيّد في مدرستنا.',
  stamp: 'ختم المدرسة',
  signature: 'المكان والتاريخ والتوقيع',
  noSchool: 'ليس للمدرسة اسم بعد.',
  toSchool: 'إدخال الاسم والعنوان',
}
