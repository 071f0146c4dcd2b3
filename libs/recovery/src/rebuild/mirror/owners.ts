import { randomUUID } from 'node:crypto';
import { Rejection } from '@practice/core';
import type { RecordOwners } from '@practice/mirror';
import type { Finding, Settled } from './findings.js';

/** The maximum time for an owner's answer, in milliseconds. */
export const ANSWER_WITHIN_MS = 3_000;
const RECORDS_PER_QUESTION = 200;

/**
 * Asks the owners of records about rows that the stream does not explain.
 * @returns the answers; none for findings whose owner is unavailable
 */
export async function askOwners(owners: RecordOwners, findings: readonly Finding[]): Promise<Settled[]> {
  const settled: Settled[] = [];
  for (const asked of questions(findings)) settled.push(...(await ask(owners, asked)));
  return settled;
}

/** Groups findings by practice and resource, in groups of at most `RECORDS_PER_QUESTION`. */
function questions(findings: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[][]>();
  for (const finding of findings) {
    const key = `${finding.therapistId} ${finding.resource}`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    const open = group.at(-1);
    if (open === undefined || open.length === RECORDS_PER_QUESTION) group.push([finding]);
    else open.push(finding);
  }
  return [...groups.values()].flat();
}

async function ask(owners: RecordOwners, findings: readonly Finding[]): Promise<Settled[]> {
  const [{ resource, therapistId }] = findings as [Finding];
  const caller = { therapistId, requestId: randomUUID(), deadline: Date.now() + ANSWER_WITHIN_MS };
  try {
    const values = findings.map(({ id }) => id);
    const { records } = await owners.ask({ resource, values }, caller);
    const versions = new Map(records.map(({ id, version }) => [id, version]));
    return findings.map((finding) => {
      const version = versions.get(finding.id);
      const isRight = version === undefined ? finding.isDeleted : version >= (finding.version ?? 0);
      return { finding, isRight };
    });
  } catch (error) {
    if (error instanceof Rejection) return [];
    throw error;
  }
}
