CREATE OR REPLACE FUNCTION clinical_notes.search_like(words text, value text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 2000
AS $function$
BEGIN
  RETURN extensions.word_similarity("clinical_notes".search_text(words), "clinical_notes".search_text(value)) >= 0.4;
END $function$
;

CREATE OR REPLACE FUNCTION clinical_notes.search_rank(words text, value text)
 RETURNS double precision
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 2000
AS $function$
DECLARE
  sought text := "clinical_notes".search_text(words);
  found text := "clinical_notes".search_text(value);
BEGIN
  RETURN (2 * extensions.word_similarity(sought, found) + extensions.similarity(sought, found)) / 3;
END $function$
;

CREATE OR REPLACE FUNCTION clinical_notes.search_snippet(words text, value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 10000
AS $function$
BEGIN
  IF length(value) <= 160 THEN RETURN value; END IF;
  RETURN (SELECT part FROM generate_series(0, least((length(value) - 1) / 80, 499)) AS place,
      LATERAL substr(value, 80 * place + 1, 160) AS part
    ORDER BY "clinical_notes".search_rank(words, part) DESC, place LIMIT 1);
END $function$
;

CREATE OR REPLACE FUNCTION clinical_notes.search_text(value text)
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
