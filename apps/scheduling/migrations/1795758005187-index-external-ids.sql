-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS scheduling.appointments_external_id_key;
CREATE UNIQUE INDEX CONCURRENTLY appointments_external_id_key ON scheduling.appointments (therapist_id, external_id);
DROP INDEX CONCURRENTLY IF EXISTS scheduling.service_menu_external_id_key;
CREATE UNIQUE INDEX CONCURRENTLY service_menu_external_id_key ON scheduling.service_menu (therapist_id, external_id);
