import type { Db } from '../tables.ts'
import type { Engine, Migration } from './index.ts'
import { searchText } from './search-text-of-0003.ts'
import { wordsOf } from './words.ts'

/** What the built-in roles hold from now on, besides what they held. */
const builtInRoles = {
  administrator: [
    'students.update',
    'students.sensitive',
    'classes.view',
    'classes.manage',
    'users.view',
    'users.manage',
    'roles.manage',
  ],
  registrar: ['students.update', 'students.sensitive', 'classes.view', 'classes.manage'],
  viewer: ['classes.view'],
}

/** Grants for named classes, richer students, classes that are archived and counted, sessions that are told apart. */
export const administration: Migration = {
  id: 3,
  name: 'administration',
  statements: { sqlite: statementsOf('sqlite'), postgres: statementsOf('postgres') },
  fill: fillSearchTexts,
}

async function fillSearchTexts(db: Db): Promise<void> {
  const users = await db.selectFrom('users').select(['id', 'name', 'email']).execute()
  for (const { id, name, email } of users) {
    const search_text = searchText(name, email)
    await db.updateTable('users').set({ search_text }).where('id', '=', id).execute()
  }
}

function statementsOf(engine: Engine): string[] {
  return [
    ...accounts(engine),
    ...grants(engine),
    ...classes(engine),
    ...students(engine),
    ...idempotency(engine),
    ...(engine === 'sqlite' ? sqliteClassCounts() : postgresClassCounts()),
  ]
}

function accounts(engine: Engine): string[] {
  const { integer, instant } = wordsOf(engine)
  return [
    `alter table users add column password_change_required ${integer} not null default 0`,
    "alter table users add column search_text text not null default ''",
    'alter table sessions add column address text',
    'alter table sessions add column client text',
    `alter table sessions add column last_used_at ${instant}`,
  ]
}

function grants(engine: Engine): string[] {
  const { integer, endKeyed } = wordsOf(engine)
  return [
    `alter table user_roles add column all_classes ${integer} not null default 1`,
    `create table user_role_classes (
      user_id ${integer} not null,
      role_id ${integer} not null,
      class_id ${integer} not null references classes (id),
      primary key (user_id, role_id, class_id),
      foreign key (user_id, role_id) references user_roles (user_id, role_id)
    ${endKeyed}`,
    'create index user_role_classes_class on user_role_classes (class_id)',
    ...Object.entries(builtInRoles).flatMap(([role, permissions]) =>
      permissions.map(
        (permission) =>
          `insert into role_permissions (role_id, permission) select id, '${permission}' from roles where name = '${role}' and built_in = 1`,
      ),
    ),
  ]
}

function classes(engine: Engine): string[] {
  const { integer, instant, endKeyed } = wordsOf(engine)
  return [
    `alter table classes add column archived_at ${instant}`,
    `alter table classes add column position ${integer} not null default 0`,
    'update classes set position = id',
    'create index classes_order on classes (position, id)',
    `create table class_counts (
      class_id ${integer} not null references classes (id),
      slot ${integer} not null,
      students ${integer} not null,
      primary key (class_id, slot)
    ${endKeyed}`,
    'insert into class_counts (class_id, slot, students) select class_id, 0, count(*) from students group by class_id',
  ]
}

function students(engine: Engine): string[] {
  const columns = ['preferred_name', 'date_of_birth', 'gender', 'notes', 'guardians']
  const added = columns.map((column) => `alter table students add column ${column} text`)
  if (engine === 'sqlite') {
    return [
      ...added,
      'create index students_name on students (folded_name, name)',
      'create index students_created on students (created_at)',
    ]
  }
  return [
    ...added,
    'create index students_name on students (folded_name collate "C", name collate "C", id)',
    'create index students_number on students (admission_key collate "C")',
    'create index students_created on students (created_at, id)',
    'create index students_class_id on students (class_id, id)',
    'drop index students_class',
  ]
}

function idempotency(engine: Engine): string[] {
  const { integer, bytes, instant, endKeyed } = wordsOf(engine)
  const secret =
    engine === 'sqlite'
      ? 'randomblob(32)'
      : 'sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea)'
  return [
    `alter table platform add column idempotency_secret ${bytes}`,
    `update platform set idempotency_secret = ${secret}`,
    `create table idempotency_keys (
      user_id ${integer} not null references users (id),
      key text not null,
      fingerprint ${bytes} not null,
      record_id ${integer} not null,
      created_at ${instant} not null,
      primary key (user_id, key)
    ${endKeyed}`,
    'create index idempotency_keys_age on idempotency_keys (created_at)',
  ]
}

/** How many students each class has. A class that ever had one keeps its row. */
function sqliteClassCounts(): string[] {
  const add = (row: 'new' | 'old', students: number) => `
      insert into class_counts (class_id, slot, students) values (${row}.class_id, 0, ${students})
      on conflict do update set students = students + excluded.students;`
  return [
    `create trigger class_counts_insert after insert on students begin ${add('new', 1)}
    end`,
    `create trigger class_counts_update after update of class_id on students begin ${add('old', -1)} ${add('new', 1)}
    end`,
    `create trigger class_counts_delete after delete on students begin ${add('old', -1)}
    end`,
  ]
}

/** As \`student_counts\`: a transaction counts in the row that its connection's process has. */
function postgresClassCounts(): string[] {
  const rows = {
    insert: 'select class_id, 1 as students from changed',
    delete: 'select class_id, -1 as students from gone',
    update: 'select class_id, 1 as students from changed union all select class_id, -1 as students from gone',
  }
  const tables = {
    insert: 'new table as changed',
    delete: 'old table as gone',
    update: 'old table as gone new table as changed',
  }
  return (['insert', 'delete', 'update'] as const).flatMap((event) => [
    `create function count_classes_${event}() returns trigger language plpgsql as $$ begin
    insert into class_counts (class_id, slot, students)
    select class_id, pg_backend_pid() % 64, sum(students) from (${rows[event]}) as moved
    group by class_id having sum(students) <> 0 order by class_id
    on conflict (class_id, slot) do update set students = class_counts.students + excluded.students;
    return null;
  end $$`,
    `create trigger class_counts_${event} after ${event} on students
    referencing ${tables[event]} for each statement execute function count_classes_${event}()`,
  ])
}
