#!/usr/bin/env bash
# Keeps a copy of work items in a folder and prints what has changed since the last run. A file of the copy is a collection; each
# line of it is an Id, the item and what of it is compared: of what it refers to only the Id.
set -euo pipefail

: "${WORKTRACK_URL:?}" "${WORKTRACK_TOKEN:?}"
copy=${1:?usage: nightly-sync.sh FOLDER}

# Fewer where so many long items would be too much for an answer.
take=250

# The items that follow an Id, in the order of Ids, into a file.
page_after() {
  until curl -gsS --fail-with-body --max-time 60 -H "Authorization: Bearer $WORKTRACK_TOKEN" -o "$3" \
    "$WORKTRACK_URL/api/v1/$1?where=Id+gt+$2&orderBy=Id&take=$take&format=json"; do
    if [ "$take" -eq 1 ] || [ "$(jq -r .Code "$3" 2> /dev/null)" != TooMuch ]; then return 1; fi
    take=$(((take + 1) / 2))
  done
  take=$((take * 2 > 250 ? 250 : take * 2))
}

# Goes through all items. Each page is a file named after its last Id, so that an interrupted run goes on where it ended.
walk() {
  local collection=$1 pages=$2 last
  mkdir -p "$pages"
  last=$(find "$pages" -name '*.tsv' -exec basename {} .tsv \; | sort -n | tail -n 1)
  while [ ! -e "$pages/complete" ]; do
    page_after "$collection" "${last:-0}" "$pages/answer"
    jq -r '.Items[] | "\(.Id)\t\(tojson)\t\(map_values(if type == "object" then .Id // . else . end) | tojson)"' "$pages/answer" > "$pages/page"
    last=$(tail -n 1 "$pages/page" | cut -f 1)
    if [ -n "$last" ]; then mv "$pages/page" "$pages/$last.tsv"; fi
    if ! jq -e .Next "$pages/answer" > /dev/null; then touch "$pages/complete"; fi
  done
}

# What differs between two files of a collection.
compare() {
  awk -F '\t' -v collection="$1" '
    FILENAME == ARGV[1] { before[$1] = $3; next }
    !($1 in before) { print "new", collection, $1; next }
    before[$1] != $3 { print "changed", collection, $1 }
    { delete before[$1] }
    END { for (id in before) print "deleted", collection, id }' "$2" "$3"
}

mkdir -p "$copy"
for collection in UserStories Bugs Assignments RoleEfforts Times Comments; do
  pages=$copy/$collection.pages
  rm -rf "$pages.done"
  walk "$collection" "$pages"
  find "$pages" -name '*.tsv' -exec cat {} + > "$copy/$collection.new"
  touch "$copy/$collection.tsv"
  # Printed before the copy is replaced, so that a change is printed twice rather than never.
  compare "$collection" "$copy/$collection.tsv" "$copy/$collection.new"
  mv "$copy/$collection.new" "$copy/$collection.tsv"
  # A folder is renamed as a whole; it is removed file by file.
  mv "$pages" "$pages.done"
  rm -r "$pages.done"
done
