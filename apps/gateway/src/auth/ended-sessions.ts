// Tells every gateway at once which sessions have ended, so that none goes on trusting a token it verified before.

import { Client } from 'pg';
import type { ClientBase } from 'pg';
import type { VerifiedTokens } from './verified-tokens.js';

const CHANNEL = 'gateway_session_ended';
const RECONNECT_MS = 500;

export class EndedSessions {
  private listener: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly connectionString: string,
    private readonly verified: VerifiedTokens,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Sends the news with the transaction that ended the sessions: sign-outs are rare, so they may share a commit's lock. */
  async announce(client: ClientBase, sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length === 0) return;
    await client.query('SELECT pg_notify($1, id) FROM unnest($2::text[]) AS id', [CHANNEL, sessionIds]);
  }

  forget(sessionIds: readonly string[]): void {
    for (const id of sessionIds) this.verified.forgetSession(id);
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
    client.on('notification', ({ payload }) => this.forget(payload === undefined ? [] : [payload]));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.verified.trust(true);
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
    if (error !== undefined) this.onError(error);
    client.end().catch(() => undefined);
    this.verified.trust(false);
    this.retry = setTimeout(() => void this.listen(), RECONNECT_MS);
  }
}
