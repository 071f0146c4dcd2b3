// Who holds the claims of this process: a session of Postgres, with a lock under the name of the holder. The session ends with the
// process, so others see at once that its claims are free. If the session ends first, the process lets go of them.

import { randomUUID } from 'node:crypto';
import { lockKey, openClient, tryLock } from '@practice/log';
import type { Client } from 'pg';

export interface HolderSession {
  /** The holder, as claims name it. */
  readonly id: string;
  /** Aborted when the session has ended: other processes may take the claims. */
  readonly over: AbortSignal;
}

const name = (id: string): string => `webhooks holder ${id}`;

/** SQL of the key of a holder's lock. @param id SQL of the holder's id */
export const holderKey = (id: string): string => lockKey(`'${name('')}' || ${id}`);

export class Holder {
  private present: (HolderSession & { readonly client: Client }) | undefined;

  /** @param url of a role that may connect; it needs no rights */
  constructor(private readonly url: string) {}

  /** The present session, or a new one. Not to be called again before it is fulfilled. @throws what connecting throws */
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

  /** Lets go of all claims that were not given back. */
  async close(): Promise<void> {
    await this.present?.client.end();
  }
}
