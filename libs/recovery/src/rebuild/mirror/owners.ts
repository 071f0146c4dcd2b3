import { randomUUID } from 'node:crypto';
import { grouped, Rejection } from '@practice/core';
import type { RecordOwners } from '@practice/mirror';
import type { Finding } from './findings.js';

/** The maximum time for an owner's answer, in milliseconds. */
export const ANSWER_WITHIN_MS = 3_000;
const RECORDS_PER_QUESTION = 200;

/**
 * Asks the owners of records about rows that the stream does not explain.
 * @returns the findings whose rows are wrong, and the number of findings whose owner is unavailable
 */
export async function askOwners(owners: RecordOwners, findings: readonly Finding[]) {
  const wrong: Finding[] = [];
  let unanswered = 0;
  const bySource = grouped(
    findings.map((finding) => [`${finding.therapistId} ${finding.resource}`, finding]),
  );
  for (const all of bySource.values()) {
    for (let at = 0; at < all.length; at += RECORDS_PER_QUESTION) {
      const asked = all.slice(at, at + RECORDS_PER_QUESTION);
      const versions = await ask(owners, asked);
      if (versions === undefined) unanswered += asked.length;
      else wrong.push(...asked.filter((finding) => isWrong(finding, versions.get(finding.id))));
    }
  }
  return { wrong, unanswered };
}

/** A row is right if its owner has this version of the record or a newer one, or if neither the owner nor the mirror has the record. */
const isWrong = ({ isDeleted, version }: Finding, found: number | undefined): boolean =>
  found === undefined ? !isDeleted : found < (version ?? 0);

/** The versions of records of one practice and resource; undefined if their owner is unavailable. */
async function ask(
  owners: RecordOwners,
  findings: readonly Finding[],
): Promise<ReadonlyMap<string, number> | undefined> {
  const [{ resource, therapistId }] = findings as [Finding];
  const caller = { therapistId, requestId: randomUUID(), deadline: Date.now() + ANSWER_WITHIN_MS };
  try {
    const { records } = await owners.ask({ resource, values: findings.map(({ id }) => id) }, caller);
    return new Map(records.map(({ id, version }) => [id, version]));
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}
