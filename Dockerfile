# SPDX-License-Identifier: MIT
# docker build -t euripus . && docker run -p 8080:8080 euripus
# Scripts/test-dockerfile.sh runs these steps where there is no Docker engine.

FROM swift:6.3-bookworm AS build
# A pinned version would be gone from Debian's archive with the next security update.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends libmicrohttpd-dev nettle-dev libsqlite3-dev libpq-dev libcurl4-gnutls-dev \
    zlib1g-dev libsodium-dev pkg-config \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /euripus
# The dependencies are a layer of their own: a change in the sources does not fetch them again.
COPY Package.swift ./
RUN swift package resolve
COPY Sources Sources
COPY Demos Demos
COPY EventSequences EventSequences
# SwiftPM wants the sources of every target of the package to be there, those of the tests and the examples too.
COPY Benchmarks/Store Benchmarks/Store
COPY Tests Tests
COPY Examples Examples
COPY Templates Templates
# The names of functions stay in the binary, and Swift's own backtracer goes with it, for the reports of crashes
# (Decisions/0032).
RUN swift build -c release --product euripus --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now -Xlinker -S \
    --explicit-target-dependency-import-check error \
  && install -D "$(swift build -c release --show-bin-path)/euripus" /out/bin/euripus \
  && install -D -s "$(dirname "$(readlink -f "$(command -v swift)")")/../libexec/swift/linux/swift-backtrace-static" \
    /out/libexec/swift/linux/swift-backtrace

FROM debian:12-slim
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends libmicrohttpd12 libnettle8 libsqlite3-0 libpq5 libcurl3-gnutls zlib1g libsodium23 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin euripus \
  && install -d -o euripus -g euripus /var/lib/euripus
COPY --from=build /out /usr/local
COPY Public /usr/share/euripus/Public
USER 10001:10001
EXPOSE 8080
# The image has no curl, so the binary asks the server, by plain HTTP. With EURIPUS_TLS_CERT, run with
# --no-healthcheck, and let a check from outside ask the server.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["euripus", "health", "--port", "8080"]
ENTRYPOINT ["euripus"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080", "--public", "/usr/share/euripus/Public", \
  "--recordings", "/var/lib/euripus/recordings", "--users", "/var/lib/euripus/users", \
  "--store", "/var/lib/euripus/sessions.db", "--supervise", "--crash-reports", "/var/lib/euripus/crashes"]
