import { plural } from '../language/plurals.ts'
import type { RoleTexts } from './en.ts'

export const de: RoleTexts = {
  count: (count) => plural.de(count, { one: '# Rolle', other: '# Rollen' }),
  table: 'Was jede Rolle erlaubt',
  permission: 'Erlaubnis',
  builtIn: 'Vorgegeben',
  builtInText:
    'Diese Rolle ist vorgegeben und bleibt, wie sie ist. Legen Sie eine eigene an, die mit denselben Rechten beginnt.',
  own: 'Eigene der Schule',
  heldBy: 'Vergeben an',
  holders: (count) => plural.de(count, { one: '# Konto', other: '# Konten' }),
  holdersOf: (role, count) =>
    plural.de(count, { one: `# Konto hat ${role}`, other: `# Konten haben ${role}` }),
  yes: 'Ja',
  no: 'Nein',
  allClasses: 'Nur für alle Klassen',
  add: 'Neue Rolle',
  teacher: 'Klassenlehrkraft',
  addLike: 'Neue Rolle wie diese',
  make: 'Rolle anlegen',
  wasMade: (name) => `Die Rolle ${name} ist angelegt.`,
  name: 'Name der Rolle',
  allows: 'Was sie erlaubt',
  allowsHint: 'Eine Änderung gilt sofort, für alle, die die Rolle haben.',
  notYours: 'Das dürfen Sie selbst nicht und können es darum nicht vergeben',
  exceeds: 'Diese Rolle erlaubt mehr, als Sie selbst dürfen. Darum können Sie sie nicht ändern.',
  remove: 'Rolle löschen',
  removeText: 'Die Rolle ist dann endgültig weg: Das lässt sich nicht rückgängig machen.',
  wasRemoved: (name) => `Die Rolle ${name} ist gelöscht.`,
  stillHeld: (count) =>
    plural.de(count, {
      one: '# Konto hat diese Rolle. Nehmen Sie sie ihm, bevor Sie die Rolle löschen.',
      other: '# Konten haben diese Rolle. Nehmen Sie sie ihnen, bevor Sie die Rolle löschen.',
    }),
  notThere: 'Diese Rolle gibt es nicht, oder Sie dürfen sie nicht sehen.',
  back: 'Zurück zu den Rollen',
  problems: {
    role_name_taken: 'So heißt eine andere Rolle.',
    role_built_in: 'Diese Rolle ist vorgegeben und bleibt, wie sie ist.',
    role_in_use: 'Konten haben diese Rolle. Nehmen Sie sie ihnen zuerst.',
    exceeds_own_permissions:
      'Eine Rolle darf höchstens erlauben, was Sie selbst für alle Klassen dürfen: vorher und nachher.',
  },
  groups: {
    students: 'Schülerinnen und Schüler',
    classes: 'Klassen',
    accounts: 'Konten und Rollen',
    school: 'Schule',
  },
  permissions: {
    'students.view': 'Kinder sehen: auflisten, suchen, lesen',
    'students.create': 'Kinder neu aufnehmen',
    'students.update': 'Angaben zu Kindern ändern, auch ihre Klasse',
    'students.sensitive': 'Geburtsdatum, Geschlecht, E-Mail, Adresse, Eltern und Notizen sehen und ändern',
    'students.export': 'Listen von Kindern als Dateien speichern',
    'students.import': 'Listen von Kindern einlesen und zurücknehmen',
    'classes.view': 'Klassen sehen',
    'classes.manage': 'Klassen anlegen, umbenennen, ordnen, archivieren und entfernen',
    'users.view': 'Konten sehen',
    'users.manage': 'Konten anlegen, ändern, sperren und ihnen Rollen geben',
    'roles.manage': 'Rollen anlegen, ändern und löschen; „Über den Server“ sehen',
    'lists.manage': 'Benannte Listen anlegen, ändern und löschen',
    'fields.manage': 'Eigene Felder der Schule anlegen, ändern, archivieren und löschen',
    'school.manage': 'Namen, Adresse, Zeitzone und Reihenfolge der Namen der Schule ändern',
    'audit.view': 'Das Protokoll aller Änderungen lesen',
  },
}
