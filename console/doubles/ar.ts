import { plural } from '../language/plurals.ts'
import type { DoublesTexts } from './en.ts'

export const ar: DoublesTexts = {
  count: (count) =>
    plural.ar(count, {
      zero: 'لا أزواج',
      one: 'زوج واحد',
      two: 'زوجان',
      few: '# أزواج',
      many: '# زوجًا',
      other: '# زوج',
    }),
  intro:
    'قد يكون الطفلان طفلًا واحدًا سُجّل مرتين. إن كانا طفلين فأكّد ذلك، ولن يظهر الزوج مرة أخرى. لا يمكن دمج قيدين. والقيد المسجل مرتين يُتراجع عنه في السجل خلال 30 يومًا.',
  none: 'لا يوجد طفلان يبدوان طفلًا واحدًا.',
  searching: 'جارٍ البحث عن الأزواج …',
  reasons: {
    same_name_and_date: 'الاسم نفسه وتاريخ الميلاد نفسه',
    similar_name_and_date: 'اسمان متشابهان، وتاريخ الميلاد نفسه',
    same_name_and_class: 'الاسم نفسه والصف نفسه، بلا تاريخ ميلاد',
  },
  settle: 'طفلان',
  settled: (one, other) => `${one} و${other} طفلان.`,
  again: 'يظهر الزوج مرة أخرى.',
}
