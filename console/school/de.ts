import type { SchoolTexts } from './en.ts'

export const de: SchoolTexts = {
  name: 'Name',
  nameHint: 'Er steht oben auf jeder Seite und auf allem, was gedruckt wird.',
  address: 'Adresse',
  timeZone: 'Zeitzone',
  timeZoneNow: (now) => `In dieser Zeitzone ist es jetzt ${now}.`,
  timeZoneHint: (example) => `Zum Beispiel ${example}.`,
  nameOrder: 'Reihenfolge der Namen',
  nameOrderHint: 'Für Kinder, von denen nur die Teile des Namens eingetragen werden, ab jetzt.',
  orders: {
    given_first: 'Vorname zuerst: Zoë Müller',
    family_first: 'Nachname zuerst: Müller Zoë',
  },
}
