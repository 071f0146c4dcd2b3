// Functions of the schema that compute instants. As expressions, they would make each statement several times longer, and Postgres
// would prepare them for every read, although they only run for rows from before a change of the practice's time zone.

import { schemaOf } from '@practice/core';
import type { Resource } from '@practice/resource';

/** DDL of the functions, for a service that has a resource with instants. */
export const instantFunctions = (service: string, resources: readonly Resource[]): string[] =>
  resources.some(({ instants }) => instants !== undefined) ? functionsOf(`"${schemaOf(service)}"`) : [];

/**
 * If a clock change skips the start, `end_instant` shifts the end by the same time as the start. If a wall time occurs twice, Postgres
 * takes the second instant, but these functions take the first, which has the offset of the day before.
 * `with_instants` replaces members in JSON text. Quotes inside of texts are escaped, so a quoted name with a colon occurs only where a
 * member begins. This is not true for a resource with a JSON column, which may contain a member of the same name.
 */
const functionsOf = (schema: string): string[] => [
  `CREATE FUNCTION ${schema}.first_instant(wall timestamp, zone text) RETURNS timestamptz
  LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
DECLARE
  earlier timestamptz := ((wall - interval '24 hours') AT TIME ZONE zone) + interval '24 hours';
BEGIN
  RETURN CASE WHEN earlier AT TIME ZONE zone = wall THEN earlier ELSE wall AT TIME ZONE zone END;
END $$`,
  `CREATE FUNCTION ${schema}.start_instant(day date, starts time, zone text) RETURNS timestamptz
  LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN day BETWEEN '0001-01-02' AND '9999-12-30' THEN ${schema}.first_instant(day + starts, zone) END;
END $$`,
  `CREATE FUNCTION ${schema}.end_instant(day date, starts time, ends time, zone text) RETURNS timestamptz
  LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN day BETWEEN '0001-01-02' AND '9999-12-30' THEN
    ${schema}.first_instant(day + ends + ((${schema}.first_instant(day + starts, zone) AT TIME ZONE zone) - (day + starts)), zone) END;
END $$`,
  `CREATE FUNCTION ${schema}.with_instants(body text, start_member text, end_member text, day date, starts time, ends time, zone text) RETURNS text
  LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  body := regexp_replace(body, format('"%s":(null|"[^"]*")', start_member),
    format('"%s":%s', start_member, coalesce(to_json(${schema}.start_instant(day, starts, zone))::text, 'null')));
  RETURN regexp_replace(body, format('"%s":(null|"[^"]*")', end_member),
    format('"%s":%s', end_member, coalesce(to_json(${schema}.end_instant(day, starts, ends, zone))::text, 'null')));
END $$`,
];
