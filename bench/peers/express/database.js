import Database from 'better-sqlite3'

const schema = `
  create table if not exists users (
    id integer primary key autoincrement,
    name text not null,
    email text not null unique,
    password_hash text not null
  );
  create table if not exists role_permissions (
    role text not null,
    permission text not null,
    primary key (role, permission)
  ) without rowid;
  create table if not exists user_roles (
    user_id integer not null references users (id),
    role text not null,
    primary key (user_id, role)
  ) without rowid;
  create table if not exists sessions (
    id text primary key,
    user_id integer not null references users (id),
    expires_at integer not null
  ) without rowid;
  create index if not exists sessions_user on sessions (user_id);
  create index if not exists sessions_expiry on sessions (expires_at);
  create table if not exists classes (id integer primary key autoincrement, label text not null unique);
  create table if not exists students (
    id integer primary key autoincrement,
    name text not null,
    admission_number text not null unique collate nocase,
    class_id integer not null references classes (id),
    search_text text not null
  );
  create index if not exists students_class on students (class_id);
`

/**
 * Opens the database, and makes its tables where they are missing. `synchronous = full`: what is answered
 * is on disk. better-sqlite3 checks foreign keys unless told otherwise.
 */
export function openDatabase(path) {
  const db = new Database(path, { timeout: 5_000 })
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.pragma('cache_size = -65536')
  db.exec(schema)
  return db
}

/** Every statement that the server runs, prepared once. */
export function prepareStatements(db) {
  const student = `select students.id, name, admission_number, class_id, classes.label as class
    from students join classes on classes.id = students.class_id`
  const hasWord = String.raw`search_text like ? escape '\'`
  const matching = new Map()
  return {
    ping: db.prepare('select 1'),
    userByEmail: db.prepare('select id, name, email, password_hash from users where email = ?'),
    insertUser: db.prepare('insert into users (name, email, password_hash) values (?, ?, ?)'),
    rolesOf: db.prepare('select role from user_roles where user_id = ? order by role').pluck(),
    permissionsOf: db
      .prepare(
        `select distinct permission from user_roles join role_permissions using (role)
         where user_id = ? order by permission`,
      )
      .pluck(),
    /** Who calls, and whether they may: read on every request. */
    session: db.prepare(
      `select users.id, users.name, users.email, sessions.id as session_id,
         exists (select 1 from user_roles join role_permissions using (role)
                 where user_roles.user_id = users.id and permission = ?) as allowed
       from sessions join users on users.id = sessions.user_id
       where sessions.id = ? and sessions.expires_at > ?`,
    ),
    insertSession: db.prepare('insert into sessions (id, user_id, expires_at) values (?, ?, ?)'),
    deleteSession: db.prepare('delete from sessions where id = ?'),
    deleteExpiredSessions: db.prepare('delete from sessions where expires_at <= ?'),
    student: db.prepare(`${student} where students.id = ?`),
    insertStudent: db.prepare(
      'insert into students (name, admission_number, class_id, search_text) values (?, ?, ?, ?)',
    ),
    /** The statements of a search for so many words. */
    matching(words) {
      if (!matching.has(words)) {
        const where = words === 0 ? '' : `where ${Array(words).fill(hasWord).join(' and ')}`
        matching.set(words, {
          count: db.prepare(`select count(*) from students ${where}`).pluck(),
          page: db.prepare(`${student} ${where} order by students.id limit ? offset ?`),
        })
      }
      return matching.get(words)
    },
  }
}
