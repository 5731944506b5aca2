import type { StudentTexts } from './en.ts'

export const de: StudentTexts = {
  alsoOf: 'auch bei',
  alsoChange: 'Diese Person ist auch bei anderen Kindern eingetragen. Dort ebenso ändern?',
  changeToo: 'Ebenso ändern',
  notForThem: 'Dort nicht',
  close: 'Schließen',
  changedThere:
    'Nicht gespeichert: Dort hat sich inzwischen etwas geändert. Öffnen Sie es und sehen Sie nach.',
  moveClass: 'Klasse wechseln',
  toClass: 'In die Klasse',
  move: 'Wechseln',
  typedBefore: 'Was Sie für die Aufnahme getippt haben',
  typedHint: 'Wählen Sie, was hier gespeichert wird.',
  stands: 'Steht hier',
  typed: 'Getippt',
  newGuardian: (name) => `Neue Person: ${name}`,
  saveChosen: 'Gewähltes speichern',
  leaveOut: 'Getipptes verwerfen',
  asFor: 'Eltern wie bei …',
  asForWhom: 'Eltern wie bei welchem Kind?',
  asForHint: 'Tippen Sie Name, Nummer oder Telefon der Eltern. Übernommenes lässt sich noch ändern.',
  hasNoGuardians: (name) => `Bei ${name} ist niemand eingetragen.`,
  taken: (name) => `Von ${name} übernommen.`,
}
