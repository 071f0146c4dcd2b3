// Claims decide which process delivers to which webhook. Any number of processes may run. A claim is a lease in the table, and every
// change by its holder names the lease, so a process that has lost its claim changes nothing. A claim ends with the holder's session.

import { randomUUID } from 'node:crypto';
import { lockKey, lockKeys, openClient, sql, type Statement, type TextRow, tryLock } from '@practice/log';
import type { Client, ClientBase } from 'pg';

// The holder of the claims of this process: a session of Postgres with a lock on the name of the holder. The session ends with the
// process, so other processes see at once that its claims are free. If the session ends first, the process gives up its claims.

interface HolderSession {
  /** The id of the holder in claims. */
  readonly id: string;
  /** Aborted when the session has ended: other processes may take the claims. */
  readonly over: AbortSignal;
}

const name = (id: string): string => `webhooks holder ${id}`;

/** SQL of the key of a holder's lock. @param id SQL of the holder's id */
const holderKey = (id: string): string => lockKey(`'${name('')}' || ${id}`);

export class Holder {
  private present: (HolderSession & { readonly client: Client }) | undefined;

  /** @param url of a role that may connect. The role needs no other rights. */
  constructor(private readonly url: string) {}

  /** The current session, or a new one. Do not call it again before the promise is fulfilled. @throws the errors of the connection */
  async session(): Promise<HolderSession> {
    if (this.present?.over.aborted === false) return this.present;
    const over = new AbortController();
    const config = { connectionString: this.url, application_name: 'webhooks holder' };
    const client = await openClient(config, () => over.abort());
    client.on('end', () => over.abort());
    const id = randomUUID();
    try {
      if (!(await tryLock(client, name(id)))) throw new Error('the lock of a new holder is taken');
    } catch (error) {
      await client.end();
      throw error;
    }
    this.present = { id, over: over.signal, client };
    return this.present;
  }

  /** Gives up all claims that were not returned. */
  async close(): Promise<void> {
    await this.present?.client.end();
  }
}

/**
 * A process that does not renew its claim loses it after this time, even if its session still seems to be open: its machine may be
 * gone. The time is longer than an attempt takes.
 */
const LEASE_SECONDS = 60;

export type Claim = ReturnType<typeof claimOf>;

/** The number of webhooks that a process takes. */
interface Wanted {
  readonly first: number;
  /** Further webhooks whose last attempt failed. Their number is limited, so endpoints that hang leave room for others. */
  readonly again: number;
}

const DUE = '((is_active AND news > seen) OR ping_id IS NOT NULL)';

/** Takes due webhooks that no other process has, in the order in which they became due or were last served. @param holder of the claims */
export function takeDue({ first, again }: Wanted, holder: string): Statement {
  const due = (which: string, limit: string): string =>
    `MATERIALIZED (SELECT therapist_id, id FROM webhooks.webhook_progress
      WHERE ${DUE} AND ${which}
        AND (lease IS NULL OR leased_until <= now())
        AND (ping_id IS NOT NULL OR next_attempt_at IS NULL OR next_attempt_at <= now())
      ORDER BY leased_until LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
  return {
    text: `WITH first AS ${due('failures = 0', '$2::int')}, again AS ${due('failures > 0', '$3::int')},
due AS (SELECT * FROM first UNION ALL SELECT * FROM again)
UPDATE webhooks.webhook_progress AS p SET lease = $1, holder = $4, leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
FROM due WHERE p.therapist_id = due.therapist_id AND p.id = due.id
RETURNING p.therapist_id, p.id, p.lease, p.news`,
    values: [randomUUID(), first, again, holder],
  };
}

/** Frees due webhooks whose holders are gone. A claim that was taken in the meantime has another lease, so it is not affected. */
export const freeLost: Statement = sql(
  `WITH held AS MATERIALIZED (${lockKeys('held')}),
lost AS (SELECT therapist_id, id, lease FROM webhooks.webhook_progress
  WHERE ${DUE} AND lease IS NOT NULL AND ${holderKey('holder')} NOT IN (SELECT key FROM held))
UPDATE webhooks.webhook_progress AS p SET lease = NULL, leased_until = now()
FROM lost WHERE p.therapist_id = lost.therapist_id AND p.id = lost.id AND p.lease = lost.lease RETURNING 1`,
);

export const claimOf = ([therapistId, id, lease, news]: TextRow) => ({
  therapistId: String(therapistId),
  id: String(id),
  lease: String(lease),
  /** The value of `news` at the claim. A complete delivery stores it as `seen`. */
  news: String(news),
});

/** The condition of every change that the holder of a claim makes. */
const HELD = 'therapist_id = $1 AND id = $2 AND lease = $3';

const held = ({ therapistId, id, lease }: Claim): readonly string[] => [therapistId, id, lease];

const RENEWED = `leased_until = now() + make_interval(secs => ${LEASE_SECONDS})`;

/** Whether the claim is not lost yet. */
export async function isHeld(client: ClientBase, claim: Claim): Promise<boolean> {
  const text = `SELECT FROM webhooks.webhook_progress WHERE ${HELD}`;
  return (await client.query(text, [...held(claim)])).rowCount === 1;
}

/** Moves the cursor. Returns whether the webhook is active; no row if the claim is lost. */
export const moveOn = (claim: Claim, cursor: string): Statement => ({
  text: `UPDATE webhooks.webhook_progress SET delivered_until = $4, failures = 0, next_attempt_at = NULL, ${RENEWED}
WHERE ${HELD} RETURNING is_active`,
  values: [...held(claim), cursor],
});

/** Notes a failed attempt. */
export const waitUntil = (claim: Claim, failures: number, at: Date | null): Statement => ({
  text: `UPDATE webhooks.webhook_progress SET failures = $4, next_attempt_at = $5 WHERE ${HELD} RETURNING is_active`,
  values: [...held(claim), failures, at?.toISOString() ?? null],
});

export const endPing = (claim: Claim, pingId: string): Statement => ({
  text: `UPDATE webhooks.webhook_progress SET ping_id = nullif(ping_id, $4::uuid), ${RENEWED} WHERE ${HELD} RETURNING is_active`,
  values: [...held(claim), pingId],
});

/** Gives the webhook back. @param isComplete whether all events that were news at the claim were delivered */
export const giveBack = (claim: Claim, isComplete: boolean): Statement => ({
  text: `UPDATE webhooks.webhook_progress SET lease = NULL, leased_until = now(), seen = CASE WHEN $4 THEN $5::bigint ELSE seen END
WHERE ${HELD}`,
  values: [...held(claim), isComplete, claim.news],
});

/** Keeps the claim for a time, so that no process tries the webhook before. The schedule of its retries stays. */
export const putOff = (claim: Claim, milliseconds: number): Statement => ({
  text: `UPDATE webhooks.webhook_progress SET leased_until = now() + make_interval(secs => $4::float8 / 1000) WHERE ${HELD}`,
  values: [...held(claim), milliseconds],
});

/** Notes that there is news in these practices. A webhook that had no news, and that no process has, is due from now on. */
export const noteNews = (practices: readonly string[]): Statement => ({
  text: `UPDATE webhooks.webhook_progress
SET news = news + 1, leased_until = CASE WHEN lease IS NULL AND news <= seen THEN now() ELSE leased_until END
WHERE therapist_id = ANY ($1::uuid[]) AND is_active RETURNING 1`,
  values: [practices],
});

export const activePractices: Statement = sql(
  'SELECT DISTINCT therapist_id FROM webhooks.webhook_progress WHERE is_active',
);

/** Removes all rows of a practice. Webhooks are removed first: an attempt that ends now is stored only while its webhook exists. */
export const forgetPractice = (therapistId: string): Statement[] =>
  ['webhook_progress', 'webhook_deliveries'].map((table) => ({
    text: `DELETE FROM webhooks.${table} WHERE therapist_id = $1`,
    values: [therapistId],
  }));
