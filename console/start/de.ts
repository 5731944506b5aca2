import { plural } from '../language/plurals.ts'
import type { StartTexts } from './en.ts'

export const de: StartTexts = {
  label: 'Schritte',
  steps: { school: 'Schule', classes: 'Klassen', students: 'Kinder' },
  school: 'Wie heißt Ihre Schule? Alles lässt sich später unter „Schule“ ändern.',
  saveOn: 'Speichern und weiter',
  skip: 'Überspringen',
  classes: (count) => plural.de(count, { one: '# Klasse ist da:', other: '# Klassen sind da:' }),
  noClasses: 'Es gibt noch keine Klassen.',
  ask: 'Sind das Ihre Klassen?',
  ways: { keep: 'So lassen', rename: 'Umbenennen', replace: 'Eigene Liste verwenden' },
  on: 'Weiter',
  students: 'Nun die Kinder. Eingelesen wird erst, wenn Sie gesehen haben, was geschrieben wird.',
  later: 'Später: zur Liste',
}
