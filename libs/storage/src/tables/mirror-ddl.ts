import { schemaOf } from '@practice/core';
import { ownPracticeOnly } from '@practice/log';
import { followedTable } from './followed-table.js';

/** resource of another service → the columns of it that this service needs; its id always */
export type Mirrored = Readonly<Record<string, readonly string[]>>;

/** SQL for the mirror of a service. */
export const mirrorOf = (service: string): string => `"${schemaOf(service)}".mirror`;

/** DDL for the mirror of a service; none if it mirrors nothing. */
export function mirrorDdl(service: string, mirrored: Mirrored): string[] {
  if (Object.keys(mirrored).length === 0) return [];
  const schema = schemaOf(service);
  const mirror = mirrorOf(service);
  return [
    `CREATE TABLE ${mirror} (
      therapist_id uuid NOT NULL,
      resource text NOT NULL,
      id uuid NOT NULL,
      version integer NOT NULL,
      data jsonb,
      CONSTRAINT mirror_pkey PRIMARY KEY (therapist_id, resource, id)
    )`,
    ...ownPracticeOnly({ schema, role: schema }, 'mirror'),
    `GRANT SELECT, INSERT, UPDATE ON ${mirror} TO "${schema}"`,
    // The relay's role receives the events of every practice.
    `CREATE POLICY relay ON ${mirror} TO "${schema}_relay" USING (true) WITH CHECK (true)`,
    `GRANT SELECT, INSERT, UPDATE ON ${mirror} TO "${schema}_relay"`,
    ...followedTable(service),
  ];
}
