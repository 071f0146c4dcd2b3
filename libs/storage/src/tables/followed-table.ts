// How far a mirror has followed each subscription, noted beside the mirror: JetStream's own position stays where it is when an
// older copy of the database is restored.

import { schemaOf } from '@practice/core';

export const followedOf = (service: string): string => `"${schemaOf(service)}".followed`;
