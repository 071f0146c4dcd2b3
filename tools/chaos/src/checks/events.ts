// Checks that the events of every acknowledged write are in the log exactly once.
import type { Client } from 'pg';
import type { Fact, Journal } from '../load/journal.js';
import type { Finding } from './finding.js';

/** Events of the practices, and how often each is in the log. */
async function factsIn(
  admin: Client,
  schema: string,
  practices: readonly string[],
): Promise<Map<Fact, number>> {
  const { rows } = await admin.query<{ id: string; type: string; count: number }>(
    `SELECT stream_id AS id, type, count(*)::int AS count FROM "${schema}".events WHERE therapist_id = ANY ($1) GROUP BY 1, 2`,
    [practices],
  );
  return new Map(rows.map(({ id, type, count }): [Fact, number] => [`${schema} ${id} ${type}`, count]));
}

/** Compares the logs with the journal. Types that the load never causes by itself are left out. */
export async function checkEvents(
  admin: Client,
  { facts }: Pick<Journal, 'facts'>,
  practices: readonly string[],
): Promise<Finding[]> {
  const expected = [...facts.keys()].map((fact) => fact.split(' '));
  const schemas = new Set(expected.map(([schema]) => schema as string));
  const types = new Set(expected.map(([schema, , type]) => `${schema} ${type}`));
  const findings: Finding[] = [];
  for (const schema of schemas) {
    const found = await factsIn(admin, schema, practices);
    for (const [fact, count] of facts) {
      const there = found.get(fact) ?? 0;
      if (fact.startsWith(`${schema} `) && there < count)
        findings.push({ kind: 'lost', what: `${fact}: ${there} of ${count} events` });
    }
    for (const [fact, there] of found) {
      const [, , type] = fact.split(' ');
      const count = facts.get(fact) ?? 0;
      if (types.has(`${schema} ${type}`) && there > count)
        findings.push({ kind: 'doubled', what: `${fact}: ${there} events in place of ${count}` });
    }
  }
  return findings;
}
