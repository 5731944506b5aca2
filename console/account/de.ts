import { plural } from '../language/plurals.ts'
import type { OwnTexts } from './en.ts'

export const de: OwnTexts = {
  name: 'Name',
  email: 'E-Mail-Adresse',
  roles: 'Rollen',
  noRole: 'noch keine',
  password: 'Passwort',
  passwordText: 'Wenn Sie es ändern, enden alle anderen Anmeldungen Ihres Kontos.',
  current: 'Aktuelles Passwort',
  next: 'Neues Passwort',
  change: 'Passwort ändern',
  changed: 'Das Passwort ist geändert.',
  sessions: 'Wo Sie angemeldet sind',
  device: 'Browser oder Programm',
  since: 'Angemeldet',
  used: 'Zuletzt benutzt',
  address: 'Von der Adresse',
  here: 'hier',
  unknown: 'unbekannt',
  end: 'Abmelden',
  endOf: (device, since) => `Abmelden: ${device}, ${since}`,
  endOthers: 'Überall sonst abmelden',
  ended: (count) => plural.de(count, { one: '# Anmeldung beendet.', other: '# Anmeldungen beendet.' }),
  on: (browser, system) => `${browser} unter ${system}`,
}
