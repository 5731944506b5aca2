import type { NewStudentTexts } from './en.ts'

export const de: NewStudentTexts = {
  title: 'Neu aufnehmen',
  save: 'Speichern und weiter',
  wholeName: 'Ein Feld für den vollständigen Namen',
  nameParts: 'Vor- und Nachname getrennt',
  saveLast: 'Speichern und fertig',
  leave: 'Zurück, ohne zu speichern',
  done: 'Fertig',
  saved: (name) => `${name} ist eingetragen.`,
  open: 'Öffnen',
  taken: (name, label) => `Die Nummer hat ${name}, ${label}.`,
  double: 'Ein solches Kind ist schon eingetragen.',
  thisChild: 'Dieses Kind: öffnen',
  anotherChild: 'Ein anderes Kind: speichern',
}
