#!/bin/bash
# For `credential_process` of AWS: a new token of the job for each process, because one lasts minutes and a run lasts hours.
set -euo pipefail
token=$(curl --silent --show-error --fail --header "Authorization: bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=sts.amazonaws.com" | jq -r .value)
AWS_CONFIG_FILE=/dev/null aws sts assume-role-with-web-identity --output json \
  --role-arn "$AWS_EVIDENCE_ROLE" --role-session-name real-account --web-identity-token "$token" |
  jq '{Version: 1} + (.Credentials | {AccessKeyId, SecretAccessKey, SessionToken, Expiration})'
