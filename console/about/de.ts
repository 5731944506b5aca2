import type { AboutTexts } from './en.ts'

export const de: AboutTexts = {
  server: 'Server',
  version: 'Version',
  engine: 'Datenbank',
  engines: { sqlite: 'SQLite', postgres: 'PostgreSQL' },
  size: 'Größe der Datenbank',
  health: 'Zustand',
  well: 'Alles in Ordnung.',
  ill: 'Etwas stimmt nicht.',
  lastBackup: 'Letzte Sicherung',
  noBackup: 'Registrar weiß von keiner.',
  noBackupSqlite:
    'Die IT-Betreuung macht eine mit „registrar backup DATEI“. Von Kopien anderer Programme weiß man hier nichts.',
  noBackupPostgres: 'PostgreSQL wird mit seinen eigenen Werkzeugen gesichert. Fragen Sie die IT-Betreuung.',
  settings: 'Einstellungen',
  safe: 'Es wurde keine unsichere Einstellung gefunden.',
  unsafe: 'Bitten Sie die IT-Betreuung, diese zu ändern.',
  names: (settings) => `Einstellungen: ${settings}`,
  dangers: {
    strangers_get_role:
      'Wer diesen Server erreicht, kann ein Konto anlegen und bekommt sofort eine Rolle. Setzen Sie DEFAULT_ROLE=none oder REGISTRATION=closed.',
    weak_passwords:
      'Leicht zu erratende Passwörter werden angenommen, und andere erreichen diesen Server. Setzen Sie PASSWORD_POLICY=strict.',
    proxy_not_trusted:
      'Sie kommen über einen Proxy, den keine Einstellung nennt. Wer viele Passwörter probiert, lässt alle warten. Setzen Sie TRUST_PROXY auf die Zahl der Proxys oder auf ihre Adressen.',
    any_origin:
      'Jede Seite im Netz darf lesen, was ihr Besucher hier lesen darf. Nennen Sie in CORS_ORIGINS Ihre eigenen Seiten.',
    database_in_the_open:
      'Die Daten gehen ungeschützt zur Datenbank auf einem anderen Rechner. Fügen Sie DATABASE_URL sslmode=verify-full hinzu.',
  },
}
