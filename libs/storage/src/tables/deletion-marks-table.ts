import { schemaOf } from '@practice/core';
import { ownPracticeOnly } from '@practice/log';

/** SQL for the marks of a service. */
export const marksOf = (service: string): string => `"${schemaOf(service)}".deletion_marks`;

/** DDL for a service's marks. The relay role removes them when the deletion arrives as an event. */
export function deletionMarksTable(service: string): string[] {
  const schema = schemaOf(service);
  return [
    `CREATE TABLE ${marksOf(service)} (
      therapist_id uuid NOT NULL,
      resource text NOT NULL,
      id uuid NOT NULL,
      token uuid NOT NULL,
      version integer NOT NULL,
      marked_at timestamp with time zone NOT NULL,
      CONSTRAINT deletion_marks_pkey PRIMARY KEY (therapist_id, resource, id)
    )`,
    ...ownPracticeOnly({ schema, role: schema }, 'deletion_marks'),
    `CREATE POLICY relay ON ${marksOf(service)} TO "${schema}_relay" USING (true)`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${marksOf(service)} TO "${schema}"`,
    `GRANT SELECT, DELETE ON ${marksOf(service)} TO "${schema}_relay"`,
  ];
}
