-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS finance.expenses_search_idx;
CREATE INDEX CONCURRENTLY expenses_search_idx ON finance.expenses USING gin (therapist_id, finance.search_text(vendor) extensions.gin_trgm_ops, finance.search_text(description) extensions.gin_trgm_ops, finance.search_text(category) extensions.gin_trgm_ops) WITH (gin_pending_list_limit='256');
DROP INDEX CONCURRENTLY IF EXISTS finance.invoices_search_idx;
CREATE INDEX CONCURRENTLY invoices_search_idx ON finance.invoices USING gin (therapist_id, finance.search_text(number) extensions.gin_trgm_ops, finance.search_text(memo) extensions.gin_trgm_ops) WITH (gin_pending_list_limit='256');
