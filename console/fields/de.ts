import { plural } from '../language/plurals.ts'
import type { FieldTexts } from './en.ts'

export const de: FieldTexts = {
  count: (count) => plural.de(count, { one: '# Feld', other: '# Felder' }),
  intro: 'Felder, die Ihre Schule bei jedem Kind ergänzt: die Buslinie, der Hort, eine Einwilligung.',
  none: 'Ihre Schule hat noch keine eigenen Felder.',
  label: 'Name',
  options: 'Auswahl',
  optionsHint: 'Je Zeile eine, in dieser Reihenfolge.',
  optionsInUse: (options) => `Bei Kindern eingetragen, darum bleiben sie: ${options}`,
  key: 'Schlüssel',
  keyHint:
    'Für Dateien und andere Programme: Kleinbuchstaben, Ziffern und _. Bleibt er leer, wird er aus dem Namen gebildet.',
  fixed: 'Art und Schlüssel lassen sich nicht ändern. Für eine andere Art legen Sie ein neues Feld an.',
  add: 'Neues Feld',
  make: 'Feld anlegen',
  wasMade: (label) => `Das Feld ${label} ist angelegt.`,
  back: 'Zurück zu den Feldern',
  notThere: 'Dieses Feld gibt es nicht, oder Sie dürfen es nicht sehen.',
  archived: 'Archivierte Felder',
  archivedHint: 'Sie werden nicht mehr gezeigt. Eingetragene Werte bleiben erhalten.',
  isArchived: 'Archiviert',
  archive: 'Archivieren',
  restore: 'Wiederherstellen',
  wasArchived: (label) => `${label} ist archiviert. Eingetragene Werte bleiben erhalten.`,
  wasRestored: (label) => `${label} ist wiederhergestellt.`,
  remove: 'Feld löschen',
  removeText: 'Nur ein Feld ohne Werte kann gelöscht werden. Das lässt sich nicht rückgängig machen.',
  wasRemoved: (label) => `Das Feld ${label} ist gelöscht.`,
  order: 'Reihenfolge',
  orderText:
    'Verschieben Sie die Felder, oder ordnen Sie sie nach Namen. Nach dem Speichern stehen sie überall so.',
  byName: 'Nach Namen ordnen',
  up: (label) => `Nach oben: ${label}`,
  down: (label) => `Nach unten: ${label}`,
  place: (label, place) => `${label}: Platz ${place}`,
  ordered: 'Die Reihenfolge ist gespeichert.',
  problems: {
    field_label_taken: 'So heißt ein anderes Feld.',
    field_key_taken: 'Diesen Schlüssel hat ein anderes Feld.',
    field_in_use:
      'Kinder haben Werte dieses Feldes. Darum kann es nicht gelöscht werden, und ist es vertraulich, so bleibt es das. Archivieren Sie es.',
    option_in_use:
      'Bei Kindern ist eine der Auswahlmöglichkeiten eingetragen, die wegfallen würden. Tragen Sie dort zuerst eine andere ein.',
    too_many_fields: 'Es gibt 50 Felder, mehr geht nicht. Löschen Sie eines, von dem niemand einen Wert hat.',
    field_not_found: 'Dieses Feld gibt es nicht mehr.',
  },
}
