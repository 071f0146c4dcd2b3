#!/bin/sh
# A practice's first day with curl. Needs a running system (npm start), sh, curl and sed.
#   sh examples/curl.sh
# The URL and the key of the API come from BASE_URL and API_KEY, or from run.json in DATA_DIR (.data).
set -eu

run="${DATA_DIR:-.data}/run.json"
from_run() { sed -n "s/^ *\"$1\": *\"\(.*\)\",*$/\1/p" "$run"; }
BASE_URL="${BASE_URL:-$(from_run base_url)}"
API_KEY="${API_KEY:-$(from_run apikey)}"

# The value of a member of a JSON response that contains it once.
member() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
say() { printf '\n# %s\n' "$1"; }

say 'Sign up: creates a practice and returns its first session'
TOKEN=$(curl -sS --fail-with-body "$BASE_URL/auth/v1/signup" -H "apikey: $API_KEY" \
  -d '{"email":"curl-'"$(date +%s)-$$"'@example.com","password":"a long pass phrase"}' | member access_token)

# One call of the data API: a path, then further options for curl.
rest() {
  path=$1
  shift
  curl -sS --globoff "$BASE_URL/rest/v1/$path" -H "apikey: $API_KEY" -H "Authorization: Bearer $TOKEN" \
    -H 'Content-Type: application/json' "$@"
  echo
}
# The same, but prints only the id of the new record.
id_of() { rest "$@" -H 'Prefer: return=representation' | member id; }

say 'Services, business hours and a client'
SERVICE=$(id_of 'service_menu?select=id' -d '{"name":"Individual therapy","duration":50,"price":110}')
rest business_hours -d '[{"day_of_week":"monday","open_time":"09:00","close_time":"12:30"},
  {"day_of_week":"monday","open_time":"13:30","close_time":"18:00"}]'
CLIENT=$(id_of 'clients?select=id' -d '{"name":"Ada Lovelace","email":"ada@example.com"}')
rest 'clients?name=ilike.*love*&select=name,status,total_visits'

say 'Book: the end comes from the service, the name from the client'
BOOKING=$(id_of 'appointments?select=id' \
  -d '{"date":"2030-01-07","start_time":"09:00","service_id":"'"$SERVICE"'","client_id":"'"$CLIENT"'"}')
rest 'appointments?date=eq.2030-01-07&status=in.(scheduled,confirmed)&order=start_time.asc&select=start_time,end_time,client_name,status'

say 'The same time again is refused'
rest appointments -d '{"date":"2030-01-07","start_time":"09:30","end_time":"10:00"}'

say 'The appointment takes place'
rest "appointments?id=eq.$BOOKING&select=status" -X PATCH -H 'Prefer: return=representation' -d '{"status":"completed"}'

say 'A note, an expense, a line in the log; then each newest first'
rest sessions -d '{"client_id":"'"$CLIENT"'","appointment_id":"'"$BOOKING"'","subjective":"Slept well.","plan":"Go on."}'
rest expenses -d '{"date":"2030-01-07","amount":12.50,"category":"supplies","vendor":"Corner Store"}'
rest conversation_log -d '{"client_id":"'"$CLIENT"'","channel":"email","content":"Sent the invoice."}'
rest "sessions?client_id=eq.$CLIENT&order=created_at.desc&select=subjective,plan"
rest 'expenses?order=date.desc&select=date,amount,category'
rest "conversation_log?client_id=eq.$CLIENT&order=created_at.desc&limit=50&select=role,content"
