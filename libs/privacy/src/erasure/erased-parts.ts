import { Injectable } from '@nestjs/common';
import type { ErasedPart } from '@practice/contracts';
import { asSystem, logTable } from '@practice/log';
import type { TenantDatabase } from '@practice/storage';
import { blankMirror } from './blank-mirror.js';
import { mirrorsClients } from './erase.js';
import { eraseFromBus, type BusErasure } from './erase-from-bus.js';

interface Waiting {
  readonly clients: Set<string>;
  readonly done: Promise<void>;
}

/** This service's parts of erasures. */
@Injectable()
export class ErasedParts {
  /** The last erasure from the bus. Each opens a connection to wait for its turn, so this process runs one after the other. */
  private last: Promise<unknown> = Promise.resolve();
  /** The erasures that have not begun, by practice. */
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly database: Pick<TenantDatabase, 'service' | 'reads'>,
    private readonly bus: BusErasure,
  ) {}

  /** This service's part of an erasure, with the present end of the practice's log; null before the erasure. For a practice, pass its id. */
  async read(therapistId: string, clientId: string): Promise<ErasedPart | null> {
    const { service, reads } = this.database;
    const text = `SELECT k.erased_events, to_json(k.erased_at) #>> '{}', h.position, encode(h.hash, 'hex')
FROM ${logTable(service, 'personal_keys')} AS k JOIN ${logTable(service, 'practice_head')} AS h USING (therapist_id)
WHERE k.therapist_id = $1 AND k.client_id = $2 AND k.sealed_key IS NULL`;
    const [row] = await reads.run(asSystem(therapistId), { text, values: [therapistId, clientId] });
    if (row === undefined) return null;
    const [events, erasedAt, position, hash] = row;
    return {
      events: Number(events),
      erased_at: String(erasedAt),
      position: Number(position),
      hash: String(hash),
    };
  }

  /**
   * Erases the values of a client from the bus, or of the whole practice if `clientId` is the practice's id. Joins the erasure of the
   * practice that has not begun, if there is one, since each reads all messages of the practice.
   */
  eraseFromBus(therapistId: string, clientId: string): Promise<void> {
    const { clients, done } = this.waiting.get(therapistId) ?? this.nextOf(therapistId);
    clients.add(clientId === therapistId ? 'all' : clientId);
    return done;
  }

  private nextOf(therapistId: string): Waiting {
    const clients = new Set<string>();
    const done = this.last.then(() => {
      this.waiting.delete(therapistId);
      return this.erase(therapistId, clients);
    });
    this.last = done.catch(() => undefined);
    const next = { clients, done };
    this.waiting.set(therapistId, next);
    return next;
  }

  private async erase(therapistId: string, clients: ReadonlySet<string>): Promise<void> {
    const { service } = this.database;
    await eraseFromBus(this.bus, { service, therapistId, clients: [...clients] });
    // A batch of events that was read before the erasure may have written values to the mirror after it.
    if (clients.has('all') && mirrorsClients(service))
      await this.bus.crossTenant.run(blankMirror({ service, therapistId, client: 'all' }));
  }
}
