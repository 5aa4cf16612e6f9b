-- SPDX-License-Identifier: MIT
-- The database, and two roles with least rights: run once, by psql 14 or later, as a superuser (Documentation/SCALING.md).
\getenv owner_password EURIPUS_OWNER_PASSWORD
\getenv server_password EURIPUS_SERVER_PASSWORD
-- The role of `euripus store migrate`, which makes the tables and brings them to the format of a new version.
CREATE ROLE euripus_owner LOGIN PASSWORD :'owner_password';
-- The role of the servers.
CREATE ROLE euripus_server LOGIN PASSWORD :'server_password';
CREATE DATABASE euripus OWNER euripus_owner;
-- By default every role of the cluster may connect, read the notices of the servers and send some.
REVOKE CONNECT ON DATABASE euripus FROM PUBLIC;
GRANT CONNECT ON DATABASE euripus TO euripus_server;
ALTER DATABASE euripus SET search_path = euripus;
\connect euripus
SET ROLE euripus_owner;
CREATE SCHEMA euripus;
GRANT USAGE ON SCHEMA euripus TO euripus_server;
ALTER DEFAULT PRIVILEGES IN SCHEMA euripus GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO euripus_server;
