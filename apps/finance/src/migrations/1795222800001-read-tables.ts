import { migration } from '@practice/service';

export const ReadTables1795222800001 = migration('ReadTables1795222800001', [
  `CREATE TABLE "finance"."expenses" ("therapist_id" uuid NOT NULL,
    "id" uuid NOT NULL,
    "date" date NOT NULL,
    "amount" numeric(12,2) NOT NULL,
    "category" text NOT NULL,
    "description" text,
    "vendor" text,
    "created_at" TIMESTAMP WITH TIME ZONE NOT NULL,
    "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL,
    "version" integer NOT NULL,
    "_json" text NOT NULL,
    CONSTRAINT "expenses_amount_check" CHECK (amount <> 0),
    CONSTRAINT "expenses_category_check" CHECK (btrim(category) <> ''),
    CONSTRAINT "expenses_pkey" PRIMARY KEY ("therapist_id", "id"))`,
  `CREATE INDEX "expenses_date_idx" ON "finance"."expenses" ("therapist_id", "date") `,
  `ALTER TABLE "finance"."expenses" ENABLE ROW LEVEL SECURITY`,
  `CREATE POLICY own_practice ON "finance"."expenses" TO "finance"
      USING (therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid)) WITH CHECK (therapist_id = (select nullif(current_setting('app.therapist_id', true), '')::uuid))`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON "finance"."expenses" TO "finance"`,
]);
