import { randomUUID } from 'node:crypto';
import { IDENTITY_CHANGES_KNOWN } from '@practice/contracts';
import type { KnownChange } from '@practice/contracts';
import type { Connection } from '@practice/bus';

/** The messages of this process to the identity service: it is alive, it knows a change, it ends. */
export class Confirmations {
  private readonly process = randomUUID();

  constructor(private readonly connection: Pick<Connection, 'nats'>) {}

  say(known: Omit<KnownChange, 'process'>): void {
    const { nats } = this.connection;
    const message: KnownChange = { process: this.process, ...known };
    if (!nats.isClosed()) nats.publish(IDENTITY_CHANGES_KNOWN, JSON.stringify(message));
  }
}
