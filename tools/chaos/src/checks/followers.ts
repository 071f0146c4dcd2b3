// Checks that each event has reached each follower, and has had its effect there once.
import type { Client } from 'pg';
import { schemaOf, storedServices } from '@practice/operator';
import type { Followed } from '../followers/follow.js';
import { finding, type Finding } from './finding.js';

/** Compares what followers have received with the logs. */
export async function checkFollowers(
  admin: Client,
  followed: readonly Followed[],
  practices: readonly string[],
): Promise<Finding[]> {
  const findings = followed.flatMap(skippedOrRepeated);
  for (const service of storedServices) {
    const { rows } = await admin.query<{ practice: string; last: number }>(
      `SELECT therapist_id AS practice, position::float8 AS last FROM "${schemaOf(service)}".practice_head WHERE therapist_id = ANY ($1)`,
      [practices],
    );
    for (const { practice, last } of rows)
      for (const { follower, received, services } of followed) {
        if (services?.includes(service.name) === false) continue;
        const got = received.last(`${service.name} ${practice}`);
        const what = `the ${follower} has ${got} of ${last} events of ${service.name} ${practice}`;
        if (got !== last) findings.push({ kind: got < last ? 'lost' : 'inconsistent', what });
      }
  }
  return findings;
}

/** Findings about events that a follower skipped, or received again although each must reach it only once. */
export const skippedOrRepeated = ({ follower, received, isOnce = false }: Followed): Finding[] => [
  ...received.skipped.map((what) => `the ${follower} skipped events of ${what}`).map(finding('lost')),
  ...(isOnce && received.counts().repeated > 0
    ? [finding('doubled')(`the ${follower} received ${received.counts().repeated} events again`)]
    : []),
];
