ALTER TABLE "identity"."security_events" VALIDATE CONSTRAINT "security_events_kind_check";

ALTER TABLE "identity"."sessions" VALIDATE CONSTRAINT "sessions_method_check";

ALTER TABLE "identity"."sessions" VALIDATE CONSTRAINT "sessions_second_factor_check";
