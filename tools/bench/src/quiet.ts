// When the work behind the writes is done: every event is on the bus and every subscription has processed it.

import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { STREAM } from '@practice/contracts';
import type { Client } from 'pg';

export interface Quiet {
  /** Resolves when the product is at rest, so that the next measurement does not pay for the one before. */
  readonly reached: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Schemas of the services that publish. */
const publishing = ['scheduling', 'clients', 'clinical_notes', 'finance'];
const waitsText = publishing.map((schema) => `EXISTS (SELECT FROM ${schema}.outbox)`).join(' OR ');
const WITHIN_MS = 15 * 60_000;
const LOOK_EVERY_MS = 100;

/** @param natsUrl with the credentials of a user who may look at the stream's consumers */
export async function watchForQuiet(admin: Client, natsUrl: string, signal: AbortSignal): Promise<Quiet> {
  const { host, username: user, password: pass } = new URL(natsUrl);
  const nats = await connect({ servers: host, user, pass, inboxPrefix: `_INBOX.${user}` });
  const streams = await jetstreamManager(nats);
  const isRelayed = async (): Promise<boolean> => {
    const { rows } = await admin.query<{ waits: boolean }>(`SELECT ${waitsText} AS waits`);
    return rows[0]?.waits === false;
  };
  const isFollowed = async (): Promise<boolean> => {
    for await (const { num_pending: pending, num_ack_pending: unacknowledged } of streams.consumers.list(
      STREAM,
    )) {
      if (pending + unacknowledged > 0) return false;
    }
    return true;
  };
  return {
    reached: async () => {
      const deadline = Date.now() + WITHIN_MS;
      while (!((await isRelayed()) && (await isFollowed()))) {
        signal.throwIfAborted();
        if (Date.now() > deadline) throw new Error('the subscriptions do not catch up');
        await pause(LOOK_EVERY_MS);
      }
    },
    close: () => nats.close(),
  };
}
