-- Makes the database and its two roles. Run once, by psql, as the superuser or a managed service's
-- administrator; compose.yaml has it run when its volume is empty. The passwords are read from two files in
-- /run/secrets, or in the folder that the variable SECRETS of psql's environment names.
\set ON_ERROR_STOP on
\set owner_password `cat "${SECRETS:-/run/secrets}/owner_password"`
\set server_password `cat "${SECRETS:-/run/secrets}/server_password"`

-- registrar_owner owns the tables: migrate and copy log in as it, and nothing limits their time.
create role registrar_owner login password :'owner_password';
-- registrar serves: it reads and writes rows, and cannot change the schema.
create role registrar login password :'server_password';
grant registrar_owner to current_user;

-- The locale matters: pg_trgm indexes what the database's LC_CTYPE knows to be letters, and "C" knows English
-- ones only. The builtin provider (PostgreSQL 17 or newer) sorts alike on every system and
-- after every upgrade of it.
create database registrar owner registrar_owner template template0
  encoding 'UTF8' locale 'C.UTF-8' locale_provider builtin builtin_locale 'C.UTF-8';
revoke all on database registrar from public;
grant connect on database registrar to registrar;

-- Limits by role hold behind PgBouncer too, which refuses them as startup parameters.
alter role registrar in database registrar set statement_timeout = '5s';
alter role registrar in database registrar set lock_timeout = '2s';
alter role registrar in database registrar set idle_in_transaction_session_timeout = '10s';

\connect registrar
set role registrar_owner;
create extension if not exists pg_trgm;
grant usage on schema public to registrar;
alter default privileges in schema public grant select, insert, update, delete on tables to registrar;
