// Rules that the tables of the services must keep after any writes.
import type { Client } from 'pg';
import { schemaOf, storedServices } from '@practice/operator';
import { finding, type Finding } from './finding.js';

/** A query that returns a row for each error. */
interface Question {
  readonly kind: Finding['kind'];
  readonly title: string;
  /** SQL. `$1` is the array of the practices' ids. */
  readonly text: string;
}

const positions = (schema: string): Question => ({
  kind: 'inconsistent',
  title: `positions of ${schema} with gaps`,
  text: `SELECT therapist_id, max(events.position) AS last, count(*) AS events, head.position AS head
    FROM "${schema}".events JOIN "${schema}".practice_head AS head USING (therapist_id) WHERE therapist_id = ANY ($1)
    GROUP BY therapist_id, head.position HAVING count(*) <> head.position OR max(events.position) <> head.position`,
});

const outbox = (schema: string): Question => ({
  kind: 'lost',
  title: `events of ${schema} that were not published`,
  text: `SELECT therapist_id, count(*) FROM "${schema}".outbox WHERE therapist_id = ANY ($1) GROUP BY 1`,
});

/** About the records of one service, or of two. */
const ofRecords: readonly Question[] = [
  {
    kind: 'doubled',
    title: 'times that are booked twice',
    text: `SELECT one.therapist_id, one.id, other.id AS other FROM scheduling.appointments AS one
    JOIN scheduling.appointments AS other USING (therapist_id, date)
    WHERE one.id < other.id AND therapist_id = ANY ($1)
      AND one.start_time < other.end_time AND other.start_time < one.end_time
      AND one.status IN ('scheduled', 'confirmed') AND other.status IN ('scheduled', 'confirmed')`,
  },
  {
    kind: 'inconsistent',
    title: 'appointments with another name than their client',
    text: `SELECT booked.therapist_id, booked.id, client.id AS client FROM scheduling.appointments AS booked
    JOIN clients.clients AS client ON client.therapist_id = booked.therapist_id AND client.id = booked.client_id
    WHERE booked.therapist_id = ANY ($1) AND booked.client_name IS DISTINCT FROM client.name`,
  },
  {
    kind: 'inconsistent',
    title: 'clients whose visits are not their completed appointments',
    text: `SELECT client.therapist_id, client.id, total_visits, completed FROM clients.clients AS client
    JOIN LATERAL (SELECT count(*) AS completed FROM scheduling.appointments AS booked
      WHERE booked.therapist_id = client.therapist_id AND booked.client_id = client.id AND status = 'completed') AS done ON true
    WHERE client.therapist_id = ANY ($1) AND total_visits <> completed`,
  },
  {
    kind: 'inconsistent',
    title: 'numbers of invoices with gaps',
    text: `SELECT therapist_id, count(*) AS invoices, max(substring(number FROM '\\d+$')::int) AS last FROM finance.invoices
    WHERE number IS NOT NULL AND therapist_id = ANY ($1) GROUP BY therapist_id
    HAVING count(*) <> max(substring(number FROM '\\d+$')::int)`,
  },
  {
    kind: 'inconsistent',
    title: 'ledgers whose debits are not their credits',
    text: `SELECT therapist_id, sum(debit) AS debits, sum(credit) AS credits FROM finance.ledger_entries
    WHERE therapist_id = ANY ($1) GROUP BY therapist_id HAVING sum(debit) <> sum(credit)`,
  },
  {
    kind: 'inconsistent',
    title: 'balances of clients that are not the ones of their records',
    text: `SELECT kept.therapist_id, kept.client_id, receivable, due FROM finance.client_balances AS kept
    JOIN LATERAL (SELECT coalesce(sum(amount_due), 0) AS due FROM finance.invoices AS invoice
      WHERE invoice.therapist_id = kept.therapist_id AND invoice.client_id = kept.client_id) AS open ON true
    WHERE kept.therapist_id = ANY ($1) AND receivable <> due`,
  },
];

/** Runs all queries. */
export async function checkTables(admin: Client, practices: readonly string[]): Promise<Finding[]> {
  const schemas = storedServices.map(schemaOf);
  const questions = [...schemas.flatMap((schema) => [positions(schema), outbox(schema)]), ...ofRecords];
  const findings: Finding[] = [];
  for (const { kind, title, text } of questions) {
    const { rows } = await admin.query<object>(text, [practices]);
    findings.push(...rows.map((row) => `${title}: ${JSON.stringify(row)}`).map(finding(kind)));
  }
  return findings;
}
