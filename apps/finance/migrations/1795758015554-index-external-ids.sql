-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS finance.expenses_external_id_key;
CREATE UNIQUE INDEX CONCURRENTLY expenses_external_id_key ON finance.expenses (therapist_id, external_id);
