#!/usr/bin/env bash
# A CI job behind a merge: moves the story that the branch is named after, logs time and comments.
set -euo pipefail

: "${WORKTRACK_URL:?}" "${WORKTRACK_TOKEN:?}" "${BRANCH:?}" "${COMMIT:?}"
[[ $BRANCH =~ ([0-9]+) ]] || { echo "No story is named in $BRANCH." >&2; exit 0; }
story=${BASH_REMATCH[1]}

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
