ALTER TABLE "scheduling"."practice_head" ADD COLUMN "erase_at" timestamp with time zone;
