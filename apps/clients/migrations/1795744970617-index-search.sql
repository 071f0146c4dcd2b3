-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS clients.clients_search_idx;
CREATE INDEX CONCURRENTLY clients_search_idx ON clients.clients USING gin (therapist_id, clients.search_text(name) extensions.gin_trgm_ops, clients.search_text(email) extensions.gin_trgm_ops, clients.search_text(phone) extensions.gin_trgm_ops) WITH (gin_pending_list_limit='256');
DROP INDEX CONCURRENTLY IF EXISTS clients.conversation_log_search_idx;
CREATE INDEX CONCURRENTLY conversation_log_search_idx ON clients.conversation_log USING gin (therapist_id, clients.search_text(content) extensions.gin_trgm_ops) WITH (gin_pending_list_limit='256');
