// Tells every gateway at once which sessions (and personal tokens) have ended, so that none goes on trusting a token it
// verified before; and hears on the same connection of new or withdrawn signing keys.

import { Client } from 'pg';
import type { ClientBase } from 'pg';
import { KEYS_CHANNEL } from './keys/stored-keys.js';
import type { VerifiedTokens } from '../authentication/verified-tokens.js';

/** What follows from the news. */
export interface Listeners {
  readonly verified: VerifiedTokens;
  /** There may be new signing keys. */
  readonly keysChanged: () => void;
  readonly failed: (error: unknown) => void;
}

const CHANNEL = 'gateway_session_ended';
const RECONNECT_MS = 500;

export class EndedSessions {
  private listener: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly connectionString: string,
    private readonly heard: Listeners,
  ) {}

  /** Sends the news with the transaction that ended the sessions: sign-outs are rare, so they may share a commit's lock. */
  async announce(client: ClientBase, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await client.query('SELECT pg_notify($1, id) FROM unnest($2::text[]) AS id', [CHANNEL, ids]);
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.heard.verified.forgetSession(id);
  }

  /** Listens until `close`; whatever was missed while the connection was lost is made up for by trusting no token. */
  async listen(): Promise<void> {
    if (this.isClosed) return;
    const client = new Client({
      connectionString: this.connectionString,
      application_name: 'gateway sessions',
    });
    this.listener = client;
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ channel, payload }) => {
      if (channel === KEYS_CHANNEL) this.heard.keysChanged();
      else this.forget(payload === undefined ? [] : [payload]);
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}; LISTEN ${KEYS_CHANNEL}`);
      this.heard.verified.trust(true);
      this.heard.keysChanged();
    } catch (error) {
      this.lost(client, error);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.retry);
    await this.listener?.end().catch(() => undefined);
  }

  private lost(client: Client, error?: unknown): void {
    if (this.isClosed || this.listener !== client) return;
    this.listener = undefined;
    if (error !== undefined) this.heard.failed(error);
    client.end().catch(() => undefined);
    this.heard.verified.trust(false);
    this.retry = setTimeout(() => void this.listen(), RECONNECT_MS);
  }
}
