import { plural } from '../language/plurals.ts'
import type { DoublesTexts } from './en.ts'

export const ar: DoublesTexts = {
  count: (count) =>
    plural.ar(count, {
      zero: 'لا حالات',
      one: 'حالة واحدة',
      two: 'حالتان',
      few: '# حالات',
      many: '# حالة',
      other: '# حالة',
    }),
  intro:
    'قد يكون الطالبان طالبًا واحدًا سُجّل مرتين. إن كانا طالبين مختلفين فأكّد ذلك، ولن تظهر الحالة مرة أخرى. لا يمكن دمج قيدين. أما القيد المكرر فيمكنك التراجع عن إدخاله من «سجل التغييرات» خلال 30 يومًا.',
  none: 'لا يوجد طالبان يبدوان طالبًا واحدًا.',
  searching: 'جارٍ البحث عن القيود المتشابهة …',
  reasons: {
    same_name_and_date: 'الاسم نفسه وتاريخ الميلاد نفسه',
    similar_name_and_date: 'اسمان متشابهان، وتاريخ الميلاد نفسه',
    same_name_and_class: 'الاسم نفسه والصف نفسه، بلا تاريخ ميلاد',
  },
  settle: 'طالبان مختلفان',
  settled: (one, other) => `${one} و${other}: شخصان مختلفان.`,
  again: 'تظهر الحالة مرة أخرى.',
}
