CREATE OR REPLACE FUNCTION scheduling.end_instant(day date, starts time without time zone, ends time without time zone, zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN CASE WHEN day BETWEEN '0001-01-02' AND '9999-12-30' THEN
    "scheduling".first_instant(day + ends + (("scheduling".first_instant(day + starts, zone) AT TIME ZONE zone) - (day + starts)), zone) END;
END $function$
;

CREATE OR REPLACE FUNCTION scheduling.first_instant(wall timestamp without time zone, zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  earlier timestamptz := ((wall - interval '24 hours') AT TIME ZONE zone) + interval '24 hours';
BEGIN
  RETURN CASE WHEN earlier AT TIME ZONE zone = wall THEN earlier ELSE wall AT TIME ZONE zone END;
END $function$
;

CREATE OR REPLACE FUNCTION scheduling.start_instant(day date, starts time without time zone, zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE STRICT
AS $function$
BEGIN
  RETURN CASE WHEN day BETWEEN '0001-01-02' AND '9999-12-30' THEN "scheduling".first_instant(day + starts, zone) END;
END $function$
;

CREATE OR REPLACE FUNCTION scheduling.with_instants(body text, start_member text, end_member text, day date, starts time without time zone, ends time without time zone, zone text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
BEGIN
  body := regexp_replace(body, format('"%s":(null|"[^"]*")', start_member),
    format('"%s":%s', start_member, coalesce(to_json("scheduling".start_instant(day, starts, zone))::text, 'null')));
  RETURN regexp_replace(body, format('"%s":(null|"[^"]*")', end_member),
    format('"%s":%s', end_member, coalesce(to_json("scheduling".end_instant(day, starts, ends, zone))::text, 'null')));
END $function$
;
