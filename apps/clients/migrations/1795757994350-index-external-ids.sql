-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS clients.clients_external_id_key;
CREATE UNIQUE INDEX CONCURRENTLY clients_external_id_key ON clients.clients (therapist_id, external_id);
