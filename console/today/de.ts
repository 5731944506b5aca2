import type { TodayTexts } from './en.ts'

export const de: TodayTexts = {
  toLook: 'Zum Nachsehen',
  watched: {
    birth: 'Ohne Geburtsdatum',
    phone: 'Ohne Telefonnummer der Eltern',
    doubles: 'Mögliche Doppelte',
    imports: 'Unfertige Importe',
    classImports: 'Unfertige Importe von Klassen',
  },
  printClass: 'Die Klasse drucken',
  printClasses: 'Alle Klassen drucken',
  byClass: 'Kinder nach Klassen',
  class: 'Klasse',
  students: 'Kinder',
  allClasses: (count) => `Alle ${count} Klassen zeigen`,
  latest: 'Was Sie zuletzt geändert haben',
  none: 'Sie haben noch nichts geändert.',
  more: 'Mehr im Protokoll',
}
