#!/usr/bin/env bash
# A CI job behind a merge: moves the story that the branch is named after, logs time and comments.
set -euo pipefail

: "${WORKTRACK_URL:?}" "${WORKTRACK_TOKEN:?}" "${BRANCH:?}" "${COMMIT:?}"
# The first number that is a word of its own, as in fix-2fa-1263; else the last one, as in us1263.
if [[ $BRANCH =~ (^|[^[:alnum:]])([0-9]+)([^[:alnum:]]|$) ]]; then story=${BASH_REMATCH[2]}
elif [[ $BRANCH =~ ([0-9]+)[^0-9]*$ ]]; then story=${BASH_REMATCH[1]}
else echo "No story is named in $BRANCH." >&2; exit 0; fi

# The key makes a job that runs again for the same commit change nothing.
post() {
  curl -gsS --fail-with-body --retry 5 -H "Authorization: Bearer $WORKTRACK_TOKEN" \
    -H 'Content-Type: application/json' -H "Idempotency-Key: merged-$COMMIT-$1" \
    --data-binary @- "$WORKTRACK_URL/api/v1/$2?format=json&include=[Id]"
  echo
}

post story "UserStories/$story" <<EOF
{EntityState: {Name: '${STATE:-Done}'}, Comments: [{Description: 'Merged as $COMMIT'}]}
EOF
post time Times <<EOF
{Assignable: {Id: $story}, Spent: ${HOURS:-1}, Description: 'Merged as $COMMIT'}
EOF
