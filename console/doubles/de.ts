import { plural } from '../language/plurals.ts'
import type { DoublesTexts } from './en.ts'

export const de: DoublesTexts = {
  count: (count) => plural.de(count, { one: '# Paar', other: '# Paare' }),
  intro:
    'Zwei Kinder könnten eines sein, das zweimal eingetragen ist. Sind es zwei, sagen Sie es: Das Paar erscheint nicht wieder. Zwei Einträge lassen sich nicht zusammenlegen. Einen doppelten Eintrag können Sie im Protokoll rückgängig machen, bis 30 Tage nach dem Eintragen.',
  none: 'Es gibt keine möglichen Doppelten.',
  searching: 'Paare werden gesucht …',
  reasons: {
    same_name_and_date: 'Gleicher Name und gleiches Geburtsdatum',
    similar_name_and_date: 'Ähnliche Namen und gleiches Geburtsdatum',
    same_name_and_class: 'Gleicher Name und gleiche Klasse, kein Geburtsdatum',
  },
  settle: 'Zwei Kinder',
  settled: (one, other) => `${one} und ${other} sind zwei Kinder.`,
  again: 'Das Paar erscheint wieder.',
}
