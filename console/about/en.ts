/** The texts on the server. The other languages have the type of this one. */
export const en = {
  server: 'Server',
  version: 'Version',
  engine: 'Database',
  engines: { sqlite: 'SQLite', postgres: 'PostgreSQL' },
  size: 'Size of the database',
  health: 'Health',
  well: 'All is well.',
  ill: 'Something is wrong.',
  lastBackup: 'Last backup',
  noBackup: 'Not known to Registrar.',
  noBackupSqlite:
    'Whoever runs the server makes one with “registrar backup FILE”. Copies that other programs make are not known here.',
  noBackupPostgres: 'PostgreSQL is backed up by its own tools. Ask whoever runs the server.',
  settings: 'Settings',
  safe: 'No unsafe setting was found.',
  unsafe: 'Ask whoever runs the server to change these.',
  names: (settings: string) => `Settings: ${settings}`,
  dangers: {
    strangers_get_role:
      'Everybody who can reach this server can make an account, and gets a role at once. Set DEFAULT_ROLE=none, or REGISTRATION=closed.',
    weak_passwords:
      'Passwords that are easy to guess are accepted, and others can reach this server. Set PASSWORD_POLICY=strict.',
    proxy_not_trusted:
      'You came through a proxy that the settings do not name. Somebody who tries many passwords makes everybody wait. Set TRUST_PROXY to the number of proxies, or to their addresses.',
    any_origin:
      'Every page of the web may read what its visitor may read here. Name your own pages in CORS_ORIGINS.',
    database_in_the_open:
      'Records travel to the database on another machine without protection. Add sslmode=verify-full to DATABASE_URL.',
  },
}

export type AboutTexts = typeof en
