#!/bin/sh
# A school's first week with Registrar and its first imports, by curl alone. On a fresh server (npm start), in another terminal of the
# same machine:
#
#   sh docs/tour.sh [http://localhost:3000/api]
#
# Each request is shown with the status and the body of its answer; the first that is not as it should be ends
# the tour. test/tour.test.ts runs it.
set -eu
API=${1:-http://localhost:3000/api}
TOKEN=
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

say() { printf '\n# %s\n' "$*"; }

# ask STATUS METHOD PATH [BODY [HEADER]]: sends a request as the holder of $TOKEN.
ask() {
  expected=$1 method=$2 path=$3 body=${4-} header=${5-}
  set -- -sS -X "$method" -o "$folder/body" -D "$folder/head" -w '%{http_code}'
  [ -z "$TOKEN" ] || set -- "$@" -H "Authorization: Bearer $TOKEN"
  [ -z "$body" ] || set -- "$@" -H 'Content-Type: application/json' -d "$body"
  [ -z "$header" ] || set -- "$@" -H "$header"
  status=$(curl "$@" "$API$path")
  printf '%s %s%s%s\n' "$method" "$path" "${body:+ $body}" "${header:+ ($header)}" | sed 's/"\([a-z_]*password\)":"[^"]*"/"\1":"…"/g'
  sed 's/"token":"[^"]*"/"token":"…"/; s/^/  '"$status"' /' "$folder/body"
  echo
  [ "$status" = "$expected" ] || { echo "expected $expected"; ${otherwise:-exit 1}; }
}

# Ends the tour on a server that is not fresh. Whatever follows 'otherwise' runs when an answer is not as expected.
need_fresh() {
  echo 'The tour needs a fresh server, whose first account becomes administrator. This one is used, or closed to that.'
  echo 'An account anna@school.example that the tour made here can be removed: ./registrar.js user remove anna@school.example'
  echo 'Start a fresh one in another terminal, and take the tour there:'
  echo '  DATABASE_URL=sqlite:$(mktemp -d)/registrar.db npm start -- --port 3001'
  echo '  sh docs/tour.sh http://localhost:3001/api'
  exit 1
} >&2

# What the last answer says: its first id, its ETag, its token.
id() { grep -o '"id":[0-9]*' "$folder/body" | head -n 1 | cut -d : -f 2; }
etag() { sed -n 's/^[Ee][Tt][Aa][Gg]: *//p' "$folder/head" | tr -d '\r'; }
change_set() { grep -o '"change_set_id":[0-9]*' "$folder/body" | head -n 1 | cut -d : -f 2; }
token() { sed 's/.*"token":"\([^"]*\)".*/\1/' "$folder/body"; }

# shows TEXT: the last answer holds this text.
shows() { grep -q "$1" "$folder/body" || { echo "expected $1"; exit 1; }; }

# change PATH BODY: changes a record, whatever its version.
change() { ask 200 PATCH "$1" "$2" 'If-Match: *'; }

# send FILE NAME: sends a file to be imported, and waits for what comes of it.
send() {
  status=$(curl -sS -o "$folder/body" -w '%{http_code}' -H "Authorization: Bearer $TOKEN" \
    -H 'Content-Type: application/octet-stream' --data-binary "@$1" "$API/imports?file_name=$2")
  printf 'POST /imports?file_name=%s (the file)\n  %s %s\n' "$2" "$status" "$(cat "$folder/body")"
  [ "$status" = 202 ] || { echo 'expected 202'; exit 1; }
  import=$(id)
}

# becomes STATE: waits until the import has come into a state, and shows it.
becomes() {
  until curl -sS -H "Authorization: Bearer $TOKEN" "$API/imports/$import" | grep -q '"progress":null'; do
    sleep 0.1 2> /dev/null || sleep 1
  done
  ask 200 GET "/imports/$import"
  shows "\"state\":\"$1\""
}

# answer BODY: answers questions of the import as it was shown last, or decides rows.
answer() { ask 200 PATCH "/imports/$import" "$1" "If-Match: $(etag)"; }

# log_in EMAIL PASSWORD: the next requests are this account's.
log_in() {
  TOKEN=
  ask 200 POST /auth/login "{\"email\":\"$1\",\"password\":\"$2\"}"
  TOKEN=$(token)
}

# role_id NAME: the id of a role.
role_id() {
  ask 200 GET '/roles?per_page=1000' > "$folder/roles"
  tr '{' '\n' < "$folder/body" | grep "\"name\":\"$1\"" | grep -o '"id":[0-9]*' | head -n 1 | cut -d : -f 2
}

# make_account NAME EMAIL ROLE_ID CLASS_IDS: with a first password, which is changed at the first login.
make_account() {
  ask 201 POST /users "{\"name\":\"$1\",\"email\":\"$2\",\"password\":\"first password of all\"}"
  account=$(id)
  ask 200 GET "/users/$account"
  ask 200 PUT "/users/$account/roles" "{\"roles\":[{\"role_id\":$3,\"class_ids\":$4}]}" "If-Match: $(etag)"
}

say 'Monday: the first account that registers from the machine itself is the administrator.'
otherwise=need_fresh
ask 201 POST /auth/register '{"name":"Anna Berg","email":"anna@school.example","password":"correct horse battery"}'
log_in anna@school.example 'correct horse battery'
ask 200 GET /users
otherwise=
ANNA=$TOKEN

say 'She makes two classes,'
ask 201 POST /classes '{"label":"1A"}'
class_a=$(id)
ask 201 POST /classes '{"label":"1B"}'
class_b=$(id)

say 'a role for class teachers,'
ask 201 POST /roles '{"name":"class teacher","permissions":["students.view","students.update","classes.view"]}'
teacher_role=$(id)

say 'an account for the office, which works with all classes,'
registrar_role=$(role_id registrar)
make_account 'Ben Okafor' ben@school.example "$registrar_role" null

say 'and one for the teacher of 1A, which sees that class alone.'
make_account 'Chen Li' chen@school.example "$teacher_role" "[$class_a]"
chen=$account

say 'Tuesday: Ben logs in. The password that Anna gave him opens one door only: to change it.'
log_in ben@school.example 'first password of all'
ask 403 GET /students
ask 200 PUT /auth/password '{"current_password":"first password of all","new_password":"a password of his own"}'
BEN=$TOKEN

say 'He enters two students. He clicks twice on the first: it is made once.'
zoe="{\"name\":\"Zoë Müller\",\"admission_number\":\"2026-0001\",\"class_id\":$class_a,\"date_of_birth\":\"2019-03-14\"}"
ask 201 POST /students "$zoe" 'Idempotency-Key: "8e03978e-40d5-43e8-bc93-6894a57f9324"'
student_a=$(id)
ask 201 POST /students "$zoe" 'Idempotency-Key: "8e03978e-40d5-43e8-bc93-6894a57f9324"'
[ "$(id)" = "$student_a" ]
ask 201 POST /students "{\"name\":\"Ikram Haddad\",\"admission_number\":\"2026-0002\",\"class_id\":$class_b}"
student_b=$(id)
ask 200 GET /students

say 'A colleague is about to enter Zoë again, under another number, and is warned.'
ask 409 POST '/students?duplicates=refuse' "{\"name\":\"Zoe Muller\",\"admission_number\":\"2026-0003\",\"class_id\":$class_b,\"date_of_birth\":\"2019-03-14\"}"

say 'Wednesday: Chen, who teaches 1A, sees 1A. Outside of it there is nothing: no class, no student, no total.'
log_in chen@school.example 'first password of all'
ask 200 PUT /auth/password '{"current_password":"first password of all","new_password":"another one of her own"}'
CHEN=$TOKEN
ask 200 GET /classes
ask 200 GET /students
ask 404 GET "/students/$student_b"
ask 200 GET "/students?search=haddad"

say 'Thursday: Ben and Chen have the same record open. Chen saves first; Ben would overwrite it, and is stopped.'
TOKEN=$BEN
ask 200 GET "/students/$student_a"
seen_by_ben=$(etag)
TOKEN=$CHEN
ask 200 GET "/students/$student_a"
ask 200 PATCH "/students/$student_a" '{"preferred_name":"Zo"}' "If-Match: $(etag)"
TOKEN=$BEN
ask 412 PATCH "/students/$student_a" '{"name":"Zoë Müller-Braun"}' "If-Match: $seen_by_ben"
ask 200 GET "/students/$student_a"
ask 200 PATCH "/students/$student_a" '{"name":"Zoë Müller-Braun"}' "If-Match: $(etag)"

say 'At noon Ben enters who is called for Zoë. Minutes later a parent rings with a number, and Ben finds the child.'
guardians='[{"name":"Jörg Müller","relation":"father","phone":"+49 30 901820"},{"name":"Karin Lang","phone":"0171 2345678"}]'
change "/students/$student_a" "{\"guardians\":$guardians}"
ask 200 GET '/students?guardian=030%20901820'
shows '2026-0001'

say 'Zoë has another surname from today on. The former one still finds her.'
change "/students/$student_a" '{"name":"Zoë Lang","given_name":"Zoë","family_name":"Lang","former_names":"Zoë Müller-Braun"}'
ask 200 GET '/students?search=muller'
shows 'Zoë Lang'

say 'Ben takes one record for another. Chen corrects a part of it; Ben takes the rest back, and her edit stays.'
change "/students/$student_a" '{"preferred_name":"Ikki","notes":"Left the school"}'
ask 200 GET "/students/$student_a/history"
wrong=$(change_set)
TOKEN=$CHEN
change "/students/$student_a" '{"preferred_name":"Zozo"}'
TOKEN=$BEN
ask 200 POST "/change-sets/$wrong/undo"
shows '"kept":.*preferred_name'
ask 200 GET "/students/$student_a"
shows '"preferred_name":"Zozo"'
shows '"notes":null'

say 'The school has houses. Anna makes a field of them, Ben fills it, filters by it, and keeps the list under a name.'
TOKEN=$ANNA
ask 201 POST /fields '{"label":"House","kind":"one_of","options":["Oak","Elm"]}'
house=$(id)
TOKEN=$BEN
change "/students/$student_a" '{"fields":{"house":"Oak"}}'
ask 200 GET '/students?fields.house=Oak&columns=name,class,fields.house&sort=family_name'
shows '"fields.house":"Oak"'
ask 201 POST /lists '{"name":"House Oak","filters":{"fields.house":"Oak"},"columns":["name","class"],"order":"name"}'
ask 200 GET /lists
TOKEN=$ANNA
change "/fields/$house" '{"archived":true}'
ask 422 GET '/students?fields.house=Oak'

say 'The log tells all of it to Anna. Chen sees what she changed herself, and the history of her own class.'
ask 200 GET '/audit?per_page=5'
TOKEN=$CHEN
ask 403 GET /audit
ask 200 GET '/audit?actor=me'
ask 200 GET "/students/$student_a/history"
ask 404 GET "/students/$student_b/history"

say 'Friday: Chen hands over her class. Anna takes the role away, and the very next request is refused.'
TOKEN=$ANNA
ask 200 GET "/users/$chen"
ask 200 PUT "/users/$chen/roles" '{"roles":[]}' "If-Match: $(etag)"
disabling=$(etag)
TOKEN=$CHEN
ask 403 GET /students

say 'She leaves the school: her account is disabled, and her token is dead.'
TOKEN=$ANNA
ask 200 PATCH "/users/$chen" '{"disabled":true}' "If-Match: $disabling"
TOKEN=$CHEN
ask 401 GET /auth/me

say 'The second week: Ben gets a spreadsheet of new children. It has neither full names nor numbers: he is asked.'
TOKEN=$BEN
send "$here/tour/new-children.xlsx" new-children.xlsx
becomes question
shows '"key":"name_order"'
answer '{"answers":{"name_order":"given_first","admission_number":"2026-*0101"}}'
becomes planned
shows '"create":3'
ask 200 GET "/imports/$import/rows?outcome=create"
becomes planned
ask 202 POST "/imports/$import/apply" '{}' "If-Match: $(etag)"
becomes applied
ask 200 GET '/students?search=2026-0102&columns=name,admission_number,class'
shows 'Deniz Öztürk'

say 'The old system writes CSV in Windows-1252. A class is misspelt, Zoë has no dash in her number, and two rows are bad.'
{
  echo 'Name;Admission number;Class;Date of birth;Address'
  printf 'J\366rg Wei\337;2026-0201;1A;04.05.2019;Am Ring 1\n'
  printf 'Ana\357s No\353l;2026-0202;1 A;17.11.2019;Am Ring 2\n'
  printf 'Zo\353 Lang;20260001;1A;14.03.2019;Am Ring 3\n'
  printf '\311mile Roux;2026-0204;1B;31.02.2019;Am Ring 4\n'
  echo ';2026-0205;1B;02.01.2019;Am Ring 5'
} > "$folder/old.csv"
send "$folder/old.csv" old.csv
becomes question
shows '"key":"encoding"'
answer '{"answers":{"encoding":"windows-1252"}}'
becomes question
shows '"key":"class.1 A"'
answer "{\"answers\":{\"class.1 A\":$class_a}}"
becomes planned
shows '"create":2,"change":0,"unchanged":0,"doubtful":1,"refused":2'

say 'Zoë is the child who is there, and keeps her number. Then all is decided but the two bad rows, and Ben leaves these.'
ask 200 GET "/imports/$import/rows?outcome=doubtful"
shows "\"ids\":\[$student_a\]"
becomes planned
answer "{\"decisions\":[{\"row\":4,\"decision\":\"same\",\"id\":$student_a}]}"
becomes planned
shows '"create":2,"change":1'
ask 409 POST "/imports/$import/apply" '{}' "If-Match: $(etag)"
becomes planned
ask 202 POST "/imports/$import/apply" '{"refused":"skip"}' "If-Match: $(etag)"
becomes applied
ask 200 GET "/imports/$import/refused"
shows 'name is required'

say 'He adds a note to one of the children. Then he hears that the file was an old one, and takes the import back.'
ask 200 GET '/students?search=2026-0201'
joerg=$(id)
change "/students/$joerg" '{"notes":"Comes by bus"}'
ask 202 POST "/imports/$import/undo"
becomes undone

say 'What he wrote himself stays, and is listed. The other child is gone, and Zoë has no address again.'
ask 200 GET "/imports/$import/rows?kept=true"
shows '"kept":\["'
ask 200 GET "/students/$joerg"
shows 'Comes by bus'
ask 200 GET '/students?search=2026-0202'
shows '"data":\[\]'
ask 200 GET "/students/$student_a"
shows '"address":null'

say 'All students as a file, imported again: nothing would change. Ben cancels that.'
ask 200 GET /students.csv
cp "$folder/body" "$folder/students.csv"
send "$folder/students.csv" students.csv
becomes planned
shows '"create":0,"change":0,"unchanged":[1-9][0-9]*,"doubtful":0,"refused":0'
ask 200 POST "/imports/$import/cancel"

say 'Those were the first week, and the first imports.'
