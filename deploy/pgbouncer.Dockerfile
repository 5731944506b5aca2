# PgBouncer from Debian's archive: 1.24, which keeps prepared statements in transaction mode.
FROM debian:trixie-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends pgbouncer \
 && rm -rf /var/lib/apt/lists/*
USER postgres
EXPOSE 6432
STOPSIGNAL SIGINT
CMD ["pgbouncer", "/etc/pgbouncer/pgbouncer.ini"]
