# The image of AutOSINT: `docker build -t autosint .`
# It is built by the scripts of `make build` and `make test` (scripts/setup.sh, server.sh, site.sh, package.sh).

FROM rust:1.95.0-slim-trixie AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates nodejs npm python3-pip \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# Cargo.lock stays as it is.
ENV CI=1
# The tools first: they change less often than the sources.
COPY rust-toolchain.toml Cargo.lock ./
COPY scripts scripts
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc frontend/
RUN scripts/setup.sh build
COPY . .
RUN scripts/server.sh dist
RUN scripts/site.sh release target/site
RUN scripts/package.sh dist /opt/autosint

FROM debian:13.2-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates curl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /data --no-create-home autosint \
    && install -d -o autosint -g autosint -m 0700 /data /backups
COPY --from=build /opt/autosint /opt/autosint
WORKDIR /opt/autosint
ENV PATH=/opt/autosint/bin:$PATH \
    AUTOSINT__SERVER__DATA_DIR=/data \
    AUTOSINT__SERVER__LISTEN=0.0.0.0:3000 \
    AUTOSINT__EMBED__MODEL_DIR=/opt/autosint/models/all-MiniLM-L6-v2 \
    AUTOSINT__METRICS__LISTEN=0.0.0.0:9100 \
    AUTOSINT__METRICS__ON_WEB=false \
    AUTOSINT__LOG__FORMAT=json
USER autosint
VOLUME /data
EXPOSE 3000 9100
# Health and figures have an address of their own, in web servers and workers alike.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
    CMD ["curl", "--fail", "--silent", "--show-error", "http://127.0.0.1:9100/readyz"]
ENTRYPOINT ["autosint"]
CMD ["serve"]
