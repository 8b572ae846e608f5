#!/usr/bin/env bash
# Moves a tenant to another group behind nginx: docs/operations/groups-of-tenants.md.
#
#   DATABASE_URL=postgres://… TARGET_DATABASE_URL=postgres://… move-tenant.sh acme.access.example.com group-2
#
# with BASE_ADDRESS and SECRET_KEY as the processes of both groups have them. Meanwhile requests of the tenant get 503 with
# Retry-After. Where the move is refused, the tenant stays where it was; where it was interrupted, run it again.
set -euo pipefail

host=${1:?the host of the tenant} target=${2:?the group to move it to}
tenant=${host%%.*}
groups=${GROUPS_FOLDER:-/etc/nginx/groups}
read -ra access_admin <<< "${ACCESS_ADMIN:-npx access-admin}"

[ -d "$groups/$target" ] || { echo "there is no folder $groups/$target" >&2; exit 2; }
mkdir -p "$groups/paused"
exec 9>> "$groups/lock"
flock --nonblock 9 || { echo "another tenant is being moved" >&2; exit 1; }
source=''
for folder in "$groups"/*/; do
  name=$(basename "$folder")
  if [ "$name" != paused ] && [ "$name" != "$target" ] && [ -f "$folder/$host" ]; then source=$name; fi
done
[ -n "$source" ] || { echo "$host is in no other group than $target" >&2; exit 1; }

# Nginx reads the file of the pause first, so requests always find one of the files.
touch "$groups/paused/$host"
# For the requests that were passed on before.
sleep "${DRAIN_SECONDS:-5}"
for _ in first second; do
  status=0
  # The second one tells whether the first has moved it, where its answer was lost.
  "${access_admin[@]}" tenants move "$tenant" || status=$?
  [ "$status" = 1 ] || break
done
case $status in
  0)
    touch "$groups/$target/$host"
    rm "$groups/$source/$host" "$groups/paused/$host"
    echo "$tenant is at $target"
    ;;
  1 | 2)
    rm "$groups/paused/$host"
    echo "$tenant is at $source as before" >&2
    ;;
  *) echo "the move was interrupted, and $tenant is paused: run it again" >&2 ;;
esac
exit "$status"
