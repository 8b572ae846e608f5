#!/usr/bin/env bash
# Builds the image of ../../Dockerfile without an image registry, runs it with a read-only root as a user without
# privileges, and drives the journey of tooling/e2e against it. The base image is made from Debian packages and the Node of
# this checkout. Needs root on Debian or Ubuntu; elsewhere it says what is missing, and ends with 0.
set -euo pipefail
cd "$(dirname "$0")/../.."

BASE=localhost/access-admin-node:here
IMAGE=localhost/access-admin:here
STARTS=3

skip() {
  echo "skipped: $1"
  exit 0
}

[ "$(id -u)" = 0 ] || skip 'only root can make a root file system and run containers'
missing=''
for program in buildah podman runc mmdebstrap curl; do command -v "$program" > /dev/null || missing+=" $program"; done
if [ -n "$missing" ]; then
  command -v apt-get > /dev/null || skip "not installed:$missing"
  # shellcheck disable=SC2086
  apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing
fi
why=$(unshare --mount chroot / true 2>&1) || skip "this machine allows no chroot in a mount namespace: $why"
grep -q overlay /proc/filesystems || export STORAGE_DRIVER=vfs
# What npm and turbo have installed here, such as the Node of the repository.
[ -x node_modules/.bin/vitest ] || npm run setup

scratch=$(mktemp -d)
name=access-admin-here-$$
# Its volume goes with it.
remove() {
  podman rm --force --volumes "$name" > /dev/null 2>&1 || true
}
trap 'remove; rm -rf "$scratch"' EXIT

# As the official image of Node: its program and npm in /usr/local, and the user 1000.
if ! buildah inspect --type image "$BASE" > /dev/null 2>&1; then
  root=$scratch/root npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$root"
  install -D "$(node_modules/.bin/node -p process.execPath)" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -r "$npm" "$root/usr/local/lib/node_modules/npm"
  for program in npm npx; do ln -s "../lib/node_modules/npm/bin/$program-cli.js" "$root/usr/local/bin/$program"; done
  chroot "$root" useradd --uid 1000 --user-group --create-home node
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
  container=$(buildah from scratch)
  buildah copy --quiet "$container" "$root" / > /dev/null
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  buildah commit --quiet --rm "$container" "$BASE" > /dev/null
fi
printf 'registry=%s\ncafile=/etc/ssl/certs/ca-certificates.crt\n' "$(npm config get registry)" > "$scratch/npmrc"
buildah build --isolation chroot --layers --format docker --secret "id=npmrc,src=$scratch/npmrc" \
  --build-arg "NODE_IMAGE=$BASE" --tag "$IMAGE" .
size() { podman image inspect --format '{{.Size}}' "$1"; }
echo "size: $(($(size "$IMAGE") / 1000000)) MB, of which $((($(size "$IMAGE") - $(size "$BASE")) / 1000)) kB are added to Node"

port=$(node -p 'const server = require("node:net").createServer().listen(0); const { port } = server.address(); server.close(); port')
base=http://127.0.0.1:$port
export TEST_SERVICE_URL=$base TEST_SERVICE_CLIENT_ID=e2e
TEST_SERVICE_CLIENT_SECRET=$(openssl rand -hex 32)
export TEST_SERVICE_CLIENT_SECRET
# The runtime must not raise limits above those of this machine, and health checks need a systemd.
start() {
  podman run --detach --name "$name" --runtime runc --network host --read-only --cap-drop all \
    --security-opt no-new-privileges --ulimit nofile=1024:4096 --ulimit nproc=1024:4096 --no-healthcheck \
    --env "PORT=$port" --env "BASE_ADDRESS=$base" --env RATE_LIMIT=off --env "BOOTSTRAP_CLIENT_ID=$TEST_SERVICE_CLIENT_ID" \
    --env "BOOTSTRAP_CLIENT_SECRET=$TEST_SERVICE_CLIENT_SECRET" "$IMAGE" > /dev/null
}
for ((number = 1; number <= STARTS; number++)); do
  remove
  began=$(date +%s%N)
  start
  until curl --silent --fail --output /dev/null "$base/readyz"; do
    [ "$(podman inspect --format '{{.State.Running}}' "$name")" = true ] || { podman logs "$name"; exit 1; }
    sleep 0.02
  done
  echo "ready after $((($(date +%s%N) - began) / 1000000)) ms"
done

inside() { podman exec "$name" "$@"; }
[ "$(inside id -u)" = 1000 ] || { echo 'it runs as root'; exit 1; }
inside touch /app/written 2> /dev/null && { echo 'its root can be written'; exit 1; }
# The HEALTHCHECK of the image, as a container runtime calls it.
podman image inspect --format '{{range .HealthCheck.Test}}{{.}}{{"\n"}}{{end}}' "$IMAGE" > "$scratch/health"
mapfile -t health < <(sed '1d;/^$/d' "$scratch/health")
inside "${health[@]}"
node_modules/.bin/vitest run --project e2e tooling/e2e/journey.test.ts
podman stop --time 15 "$name" > /dev/null
[ "$(podman inspect --format '{{.State.ExitCode}}' "$name")" = 0 ] || { echo 'it did not stop cleanly'; exit 1; }
