ALTER TABLE "scheduling"."appointments" ADD COLUMN "price" numeric(10,2);

ALTER TABLE "scheduling"."appointments_versions" ADD COLUMN "price" numeric(10,2);

ALTER TABLE "scheduling"."appointments" ADD CONSTRAINT "appointments_price_check" CHECK ((price >= (0)::numeric)) NOT VALID;
