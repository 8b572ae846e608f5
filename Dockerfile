# The image of the service: API, worker, console and the command on a Node image, without npm packages that it does not run.
# docs/operations/deploying.md describes how it runs.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
ARG TARGETARCH
WORKDIR /src
COPY . .
# The secret `npmrc` is optional: the npm configuration of networks with a registry or a certificate authority of their own.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
  pnpm="npx --yes $(node -p "require('./package.json').packageManager")" \
  && export CI=true \
  && $pnpm install --frozen-lockfile --filter access-admin... \
  && $pnpm --filter access-admin... run build \
  && $pnpm --filter access-admin deploy --legacy --prod --no-optional /out
# SQLite comes for eight platforms, with its sources. Without BuildKit the image is for this one.
RUN arch=$(echo "${TARGETARCH:-$(dpkg --print-architecture)}" | sed s/amd64/x64/) \
  && cd /out/node_modules/better-sqlite3 \
  && find . -name '*.node' ! -name "linux-$arch.node" -delete \
  && test -f "prebuilds/linux-$arch.node" \
  && rm -r deps src \
  && mkdir /var/access-admin

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title=access-admin org.opencontainers.image.licenses=Apache-2.0
ENV NODE_ENV=production HOST=0.0.0.0 BASE_ADDRESS=http://localhost:8080
WORKDIR /app
COPY --from=build /out ./
COPY --from=build --chown=1000:1000 /var/access-admin ./var
# By number, so that Kubernetes can tell that it is not root. The Node image calls it `node`.
USER 1000:1000
# What is kept without PostgreSQL: the database, the key of its secrets, and the first client.
VOLUME /app/var
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT || 8080}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/access-admin.mjs"]
CMD ["serve", "--no-sample"]
