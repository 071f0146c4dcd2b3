-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS clinical_notes.sessions_template_id_idx;
CREATE INDEX CONCURRENTLY sessions_template_id_idx ON clinical_notes.sessions USING btree (therapist_id, template_id);
DROP INDEX CONCURRENTLY IF EXISTS clinical_notes.sessions_versions_template_id_idx;
CREATE INDEX CONCURRENTLY sessions_versions_template_id_idx ON clinical_notes.sessions_versions USING btree (therapist_id, template_id);
