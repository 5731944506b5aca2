-- Makes the database and its two roles, on PostgreSQL 15 or newer. Run by psql as the superuser or a managed
-- service's administrator; compose.yaml has it run when its volume is empty. Run again, it adds what is missing and
-- leaves the rest as it is: passwords, limits and grants that were changed since too. The passwords are read from two
-- files in /run/secrets, or in the folder that the variable SECRETS of psql's environment names.
\set ON_ERROR_STOP on
set client_min_messages = warning; -- not what is there already
\set owner_password `cat "${SECRETS:-/run/secrets}/owner_password"`
\set server_password `cat "${SECRETS:-/run/secrets}/server_password"`
select :'owner_password' = '' or :'server_password' = '' as lacks_password \gset
\if :lacks_password
do $$ begin
  raise 'A password is missing: owner_password and server_password must be files in /run/secrets, or in the folder that SECRETS names.';
end $$;
\endif

-- registrar_owner owns the tables: migrate and copy log in as it, and nothing limits their time.
select format('create role registrar_owner login password %L', :'owner_password')
where to_regrole('registrar_owner') is null \gexec
-- registrar serves: it reads and writes rows, and cannot change the schema.
select format('create role registrar login password %L', :'server_password')
where to_regrole('registrar') is null \gexec
grant registrar_owner to current_user;

-- The locale matters: pg_trgm indexes what the database's LC_CTYPE knows to be letters, and "C" knows English
-- ones only. The builtin provider (PostgreSQL 17 or newer) sorts alike on every system and after every upgrade of
-- it. Before, C.UTF-8 is the system's.
select format(
  'create database registrar owner registrar_owner template template0 encoding ''UTF8'' locale ''C.UTF-8'' %s',
  case when current_setting('server_version_num')::int >= 170000
    then 'locale_provider builtin builtin_locale ''C.UTF-8''' else 'locale_provider libc' end)
where not exists (select from pg_database where datname = 'registrar') \gexec
-- Once granted or revoked, who may connect is the operator's to decide.
select 'revoke all on database registrar from public'
from pg_database where datname = 'registrar' and datacl is null \gexec
select 'grant connect on database registrar to registrar'
where not has_database_privilege('registrar', 'registrar', 'connect') \gexec

-- Limits by role hold behind PgBouncer too, which refuses them as startup parameters.
select format('alter role registrar in database registrar set %I = %L', name, value)
from (values ('statement_timeout', '5s'), ('lock_timeout', '2s'), ('idle_in_transaction_session_timeout', '10s'))
  as limits (name, value)
where not exists (
  select from pg_db_role_setting, unnest(setconfig) as setting
  where setrole = 'registrar'::regrole and setting like name || '=%'
    and setdatabase in (0, (select oid from pg_database where datname = 'registrar'))) \gexec

\connect registrar
set client_min_messages = warning;
set role registrar_owner;
create extension if not exists pg_trgm;
grant usage on schema public to registrar;
alter default privileges in schema public grant select, insert, update, delete on tables to registrar;
