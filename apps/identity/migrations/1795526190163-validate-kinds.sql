ALTER TABLE "identity"."security_events" VALIDATE CONSTRAINT "security_events_kind_check";
