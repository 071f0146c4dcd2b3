-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS scheduling.service_menu_search_idx;
CREATE INDEX CONCURRENTLY service_menu_search_idx ON scheduling.service_menu USING gin (therapist_id, scheduling.search_text(name) extensions.gin_trgm_ops) WITH (gin_pending_list_limit='256');
