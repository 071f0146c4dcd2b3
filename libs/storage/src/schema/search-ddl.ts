// Search that tolerates other spellings, in the schema of each service. Texts are reduced to the parts that similar spellings share, and
// compared by trigrams (pg_trgm). A searched column is in an index of its table, and has a function that finds the ids of rows.

import { schemaOf } from '@practice/core';
import { currentPractice, READER_SETTING, roleArray, SYSTEM } from '@practice/log';
import { lookupOf } from '@practice/query';
import { indexedForSearch, rolesSeeing, type Resource } from '@practice/resource';

/** Words are similar from this share of common trigrams on. */
const SIMILAR = '0.4';

/** DDL of the functions of a service. */
export const searchFunctions = (service: string, resources: readonly Resource[]): string[] => [
  ...comparisonsIn(`"${schemaOf(service)}"`),
  ...resources.flatMap((resource) =>
    indexedForSearch(resource).map((column) => lookup(resource, column, schemaOf(service))),
  ),
];

/**
 * DDL of the search index of a table, the practice first. Each search reads the whole list of pending rows, so it is at most 256 KiB.
 * @param schema of the table
 */
export function searchIndex(resource: Resource, schema: string): string[] {
  const columns = indexedForSearch(resource).map(
    (column) => `"${schemaOf(resource.service)}".search_text("${column}") extensions.gin_trgm_ops`,
  );
  if (columns.length === 0) return [];
  return [
    `CREATE INDEX "${resource.name}_search_idx" ON "${schema}"."${resource.name}" USING gin (therapist_id, ${columns.join(', ')}) WITH (gin_pending_list_limit = 256)`,
  ];
}

/**
 * Text is compared without case and accents; ae, oe and ue count as umlauts. Cyrillic letters become Latin letters, because pg_trgm knows
 * only these in this locale. A text with digits and no letters is compared by its digits, without zeros before them.
 */
const comparisonsIn = (schema: string): string[] => [
  `CREATE FUNCTION ${schema}.search_text(value text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
BEGIN
  IF value ~ '^[0-9 +()/.-]*[0-9][0-9 +()/.-]*$' THEN
    RETURN ltrim(regexp_replace(value, '[^0-9]', '', 'g'), '0');
  END IF;
  IF octet_length(value) > length(value) THEN
    value := lower(regexp_replace(normalize(value, NFKD), '[\\u0300-\\u036f]', '', 'g'));
    value := replace(replace(replace(value, 'ß', 'ss'), 'æ', 'a'), 'œ', 'o');
    value := translate(value, 'łøđðıħþабвгдежзиклмнопрстуфхцчшщъыьэюяієґ’‘', 'loddihtabvgdezziklmnoprstufhccss''y''euaieg''''');
  END IF;
  RETURN replace(replace(replace(lower(value), 'ae', 'a'), 'oe', 'o'), 'ue', 'u');
END $$`,
  `CREATE FUNCTION ${schema}.search_like(words text, value text) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 2000 AS $$
BEGIN
  RETURN extensions.word_similarity(${schema}.search_text(words), ${schema}.search_text(value)) >= ${SIMILAR};
END $$`,
  `CREATE FUNCTION ${schema}.search_rank(words text, value text) RETURNS double precision
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 2000 AS $$
DECLARE
  sought text := ${schema}.search_text(words);
  found text := ${schema}.search_text(value);
BEGIN
  RETURN (2 * extensions.word_similarity(sought, found) + extensions.similarity(sought, found)) / 3;
END $$`,
  // The passage of 160 characters that is most similar, among the first 40,000.
  `CREATE FUNCTION ${schema}.search_snippet(words text, value text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
BEGIN
  IF length(value) <= 160 THEN RETURN value; END IF;
  RETURN (SELECT part FROM generate_series(0, least((length(value) - 1) / 80, 499)) AS place,
      LATERAL substr(value, 80 * place + 1, 160) AS part
    ORDER BY ${schema}.search_rank(words, part) DESC, place LIMIT 1);
END $$`,
];

/**
 * DDL of the function that finds rows by a column. Under row-level security, only leakproof conditions can use an index, and
 * trigram conditions are not leakproof. So the function reads as the owner of the table, and checks the practice and the role
 * itself. It returns ids, and the caller's statement reads their rows under row-level security.
 */
function lookup(resource: Resource, column: string, schema: string): string {
  const roles = roleArray([...rolesSeeing(resource, column), SYSTEM]);
  return `CREATE FUNCTION ${lookupOf(resource, column)}(words text) RETURNS SETOF uuid
  LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER COST 10000 ROWS 100 SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  sought text := "${schema}".search_text(words);
  own uuid := CASE WHEN current_setting('${READER_SETTING}', true) = ANY (${roles}) THEN ${currentPractice} END;
BEGIN
  PERFORM set_config('pg_trgm.word_similarity_threshold', '${SIMILAR}', true);
  RETURN QUERY SELECT t.id FROM "${schema}"."${resource.name}" AS t
    WHERE t.therapist_id = own AND sought OPERATOR(extensions.<%) "${schema}".search_text(t."${column}");
END $$`;
}
