import { plural } from '../language/plurals.ts'
import type { ClassTexts } from './en.ts'

export const de: ClassTexts = {
  count: (count) => plural.de(count, { one: '# Klasse', other: '# Klassen' }),
  none: 'Es gibt noch keine Klassen.',
  label: 'Klasse',
  students: 'Kinder',
  studentsOf: (label) => `Kinder der Klasse ${label}`,
  printAll: 'Alle Klassen drucken',
  printOf: (label) => `Drucken: ${label}`,
  archived: 'Archivierte Klassen',
  archivedHint: 'Sie nehmen niemanden mehr auf. Wer darin ist, bleibt.',
  change: 'Umbenennen',
  changeOf: (label) => `Umbenennen: ${label}`,
  rename: 'Name der Klasse',
  archive: 'Archivieren',
  restore: 'Wiederherstellen',
  remove: 'Entfernen',
  archiveOf: (label) => `Archivieren: ${label}`,
  restoreOf: (label) => `Wiederherstellen: ${label}`,
  removeOf: (label) => `Entfernen: ${label}`,
  wasArchived: (label) => `${label} ist archiviert.`,
  wasRestored: (label) => `${label} ist wiederhergestellt.`,
  wasRemoved: (label) => `${label} ist entfernt.`,
  import: 'Klassen einlesen',
  add: 'Neue Klassen',
  labels: 'Namen der neuen Klassen',
  labelsHint: 'Je Zeile eine, oder mit Kommas dazwischen. Sie können die Spalte einer Tabelle einfügen.',
  make: 'Klassen anlegen',
  made: (count) => plural.de(count, { one: '# Klasse ist angelegt.', other: '# Klassen sind angelegt.' }),
  removed: (count) => plural.de(count, { one: '# Klasse ist entfernt.', other: '# Klassen sind entfernt.' }),
  renamed: (count) =>
    plural.de(count, { one: '# Klasse ist umbenannt.', other: '# Klassen sind umbenannt.' }),
  allLabels: 'Namen aller Klassen',
  unusedGo: 'Klassen, in denen nie jemand war und die nicht in Ihrer Liste stehen, werden entfernt.',
  willMake: (count, labels) =>
    plural.de(count, {
      one: `# Klasse wird angelegt: ${labels}.`,
      other: `# Klassen werden angelegt: ${labels}.`,
    }),
  willGo: (count, labels) =>
    plural.de(count, {
      one: `# Klasse wird entfernt: ${labels}.`,
      other: `# Klassen werden entfernt: ${labels}.`,
    }),
  line: (line) => `„${line}“`,
  leftOver: 'Diese wurden nicht angelegt und stehen noch im Feld:',
  order: 'Reihenfolge',
  orderText:
    'Verschieben Sie die Klassen, oder ordnen Sie sie nach Namen. Nach dem Speichern folgen alle Listen dieser Reihenfolge.',
  byName: 'Nach Namen ordnen',
  up: (label) => `Nach oben: ${label}`,
  down: (label) => `Nach unten: ${label}`,
  place: (label, place) => `${label}: Platz ${place}`,
  ordered: 'Die Reihenfolge ist gespeichert.',
}
