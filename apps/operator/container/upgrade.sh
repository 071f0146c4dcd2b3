#!/usr/bin/env bash
# bash apps/operator/container/upgrade.sh: replaces the containers of the product by containers of the new version, one service after the other,
# while callers read and write. Each old container ends when its successor serves. Postgres, NATS and the proxy keep running.
set -euo pipefail

docker compose build
docker compose up --detach --wait secrets
# Without --no-deps: at the next `up`, Compose takes a container that it made without its dependencies for a different container.
docker compose up --exit-code-from prepare prepare
others=$(docker compose config --services | grep -vxE 'secrets|prepare|postgres|nats|proxy|gateway|live')
for service in gateway live $others; do
  read -ra old <<<"$(docker compose ps --quiet "$service" | tr '\n' ' ')"
  # A service that the new version adds has no container yet.
  docker compose up --detach --wait --no-recreate --scale "$service=$((${#old[@]} * 2 + (${#old[@]} == 0)))" "$service"
  [ ${#old[@]} -eq 0 ] || { docker stop "${old[@]}" && docker rm "${old[@]}"; }
done
