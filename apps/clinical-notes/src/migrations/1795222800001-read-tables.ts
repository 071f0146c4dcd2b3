import { migration } from '@practice/service';

export const ReadTables1795222800001 = migration('ReadTables1795222800001', [
  `CREATE TABLE "clinical_notes"."sessions" ("therapist_id" uuid NOT NULL,
    "id" uuid NOT NULL,
    "client_id" uuid NOT NULL,
    "appointment_id" uuid,
    "subjective" text,
    "objective" text,
    "assessment" text,
    "plan" text,
    "created_at" TIMESTAMP WITH TIME ZONE NOT NULL,
    "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL,
    "version" integer NOT NULL,
    "_json" text NOT NULL,
    CONSTRAINT "sessions_pkey" PRIMARY KEY ("therapist_id", "id"))`,
  `CREATE INDEX "sessions_client_id_created_at_idx" ON "clinical_notes"."sessions" ("therapist_id", "client_id", "created_at") `,
  `CREATE INDEX "sessions_appointment_id_idx" ON "clinical_notes"."sessions" ("therapist_id", "appointment_id") `,
  `ALTER TABLE "clinical_notes"."sessions" ENABLE ROW LEVEL SECURITY`,
  `CREATE POLICY own_practice ON "clinical_notes"."sessions" TO "clinical_notes"
      USING (therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid)) WITH CHECK (therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid))`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON "clinical_notes"."sessions" TO "clinical_notes"`,
]);
