#!/bin/sh
# Makes the secrets that compose.yaml mounts, in ./secrets: new passwords, and a certificate for trying things
# out, to be replaced by a real one (tls.crt with its chain, tls.key). Never overwrites: remove the folder first.
# The folder is its owner's alone; the files in it are readable, so that each container's own user can read
# the few that are mounted into it.
set -eu
umask 022
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "deploy/secrets exists already, and is left as it is." >&2
  exit 1
fi
mkdir -m 0700 secrets
cd secrets
for name in superuser owner server; do
  openssl rand -hex 24 | tr -d '\n' >"${name}_password"
done
echo "\"registrar\" \"$(cat server_password)\"" >userlist.txt
echo "DATABASE_URL=postgres://registrar:$(cat server_password)@pgbouncer:6432/registrar" >server.env
echo "DATABASE_URL=postgres://registrar_owner:$(cat owner_password)@db:5432/registrar" >migrate.env
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost -keyout tls.key -out tls.crt 2>/dev/null
chmod 0444 ./*
echo "Made deploy/secrets. Its certificate is self-signed and ends in 30 days."
