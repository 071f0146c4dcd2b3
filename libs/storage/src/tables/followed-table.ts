// How far a mirror has followed each subscription, noted beside the mirror: JetStream's own position stays where it is when an
// older copy of the database is restored.

import { schemaOf } from '@practice/core';

export const followedOf = (service: string): string => `"${schemaOf(service)}".followed`;

/** DDL of the table. */
export const followedTable = (service: string): string[] => [
  `CREATE TABLE ${followedOf(service)} (
      subscription text NOT NULL,
      stream text NOT NULL,
      sequence bigint NOT NULL,
      CONSTRAINT followed_pkey PRIMARY KEY (subscription)
    )`,
  `GRANT SELECT, INSERT, UPDATE ON ${followedOf(service)} TO "${schemaOf(service)}_relay"`,
];
