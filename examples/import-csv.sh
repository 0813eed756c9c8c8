#!/usr/bin/env bash
# Makes a story of each row of a CSV file; prints the Ids in the order of the rows. It may be run again after a failure.
# Fields may stand in quotes, but hold no line breaks.
set -euo pipefail

: "${WORKTRACK_URL:?}" "${WORKTRACK_TOKEN:?}"
file=${1:?usage: import-csv.sh FILE}
made=$(mktemp)
answer=$(mktemp)
trap 'rm -f "$made" "$answer"' EXIT

# A list of at most 100 stories a line. All are made before one is sent, so that a mistake in the file ends this.
jq -cRn '
  def unquoted: if test("^\".*\"$") then .[1:-1] | gsub("\"\""; "\"") else . end;
  def fields: [("," + .) | scan(",(?:\"(?:[^\"]|\"\")*\"(?=,|$)|[^,]*)") | .[1:] | unquoted];
  [inputs | ltrimstr("\ufeff") | rtrimstr("\r") | select(. != "") | fields]
  | .[0] as $names
  | [.[1:][] | [$names, .] | transpose | map({(.[0]): .[1]}) | add | .Project |= {Id: tonumber}]
  | _nwise(100)' "$file" > "$made"

# With the same key the service does it once, however often it is asked.
send() {
  local status
  for attempt in 1 2 3 4 5; do
    if status=$(curl -gsS --max-time 60 -o "$answer" -w '%{http_code}' -H "Authorization: Bearer $WORKTRACK_TOKEN" \
      -H 'Content-Type: application/json' -H "Idempotency-Key: $2" --data-binary @- \
      "$WORKTRACK_URL/api/v1/UserStories/bulk?format=json&include=[Id]" <<< "$1"); then
      case $status in
        200) return ;;
        429 | 503) ;;
        *) cat "$answer" >&2; exit 1 ;;
      esac
    fi
    sleep "$attempt"
  done
  echo 'The service cannot be reached. Run this again.' >&2
  exit 1
}

number=0
while IFS= read -r body; do
  number=$((number + 1))
  send "$body" "import-$number-$(sha256sum <<< "$body" | cut -c 1-64)"
  jq '.Items[].Id' "$answer"
done < "$made"
