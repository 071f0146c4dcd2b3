-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS identity.personal_tokens_id_idx;
CREATE INDEX CONCURRENTLY personal_tokens_id_idx ON identity.personal_tokens USING btree (id);
