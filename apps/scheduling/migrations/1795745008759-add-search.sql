CREATE OR REPLACE FUNCTION scheduling.search_like(words text, value text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 2000
AS $function$
BEGIN
  RETURN extensions.word_similarity("scheduling".search_text(words), "scheduling".search_text(value)) >= 0.4;
END $function$
;

CREATE OR REPLACE FUNCTION scheduling.search_rank(words text, value text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 2000
AS $function$
DECLARE
  sought text := "scheduling".search_text(words);
  found text := "scheduling".search_text(value);
BEGIN
  RETURN (2 * extensions.word_similarity(sought, found) + extensions.similarity(sought, found)) / 3;
END $function$
;

CREATE OR REPLACE FUNCTION scheduling.search_snippet(words text, value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 10000
AS $function$
BEGIN
  IF length(value) <= 160 THEN RETURN value; END IF;
  RETURN (SELECT part FROM generate_series(0, least((length(value) - 1) / 80, 499)) AS place,
      LATERAL substr(value, 80 * place + 1, 160) AS part
    ORDER BY "scheduling".search_rank(words, part) DESC, place LIMIT 1);
END $function$
;

CREATE OR REPLACE FUNCTION scheduling.search_text(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 1000
AS $function$
BEGIN
  IF value ~ '^[0-9 +()/.-]*[0-9][0-9 +()/.-]*$' THEN
    RETURN ltrim(regexp_replace(value, '[^0-9]', '', 'g'), '0');
  END IF;
  IF octet_length(value) > length(value) THEN
    value := lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'));
    value := replace(replace(replace(value, 'ß', 'ss'), 'æ', 'a'), 'œ', 'o');
    value := translate(value, 'łøđðıħþабвгдежзиклмнопрстуфхцчшщъыьэюяієґ’‘', 'loddihtabvgdezziklmnoprstufhccss''y''euaieg''''');
  END IF;
  RETURN replace(replace(replace(lower(value), 'ae', 'a'), 'oe', 'o'), 'ue', 'u');
END $function$
;

CREATE OR REPLACE FUNCTION scheduling.service_menu_like_name(words text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE STRICT SECURITY DEFINER COST 10000 ROWS 100
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  sought text := "scheduling".search_text(words);
  own uuid := CASE WHEN current_setting('app.reader', true) = ANY ('{owner,therapist,front_desk,billing,read_only,system}'::text[]) THEN (select nullif(current_setting('app.therapist_id', true), '')::uuid) END;
BEGIN
  PERFORM set_config('pg_trgm.word_similarity_threshold', '0.4', true);
  RETURN QUERY SELECT t.id FROM "scheduling"."service_menu" AS t
    WHERE t.therapist_id = own AND sought OPERATOR(extensions.<%) "scheduling".search_text(t."name");
END $function$
;
