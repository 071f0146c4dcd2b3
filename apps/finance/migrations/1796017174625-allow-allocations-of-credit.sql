ALTER TABLE "finance"."payment_allocations" ALTER COLUMN "payment_id" DROP NOT NULL;

ALTER TABLE "finance"."payment_allocations_versions" ALTER COLUMN "payment_id" DROP NOT NULL;
