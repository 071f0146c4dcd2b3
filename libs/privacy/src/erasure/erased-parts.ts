import { Injectable } from '@nestjs/common';
import type { ErasedPart } from '@practice/contracts';
import { asSystem, logTable } from '@practice/log';
import type { TenantDatabase } from '@practice/storage';
import { blankMirror } from './blank-mirror.js';
import { mirrorsClients, type Erasing } from './erase.js';
import { eraseFromBus, type BusErasure } from './erase-from-bus.js';

/** This service's parts of erasures. */
@Injectable()
export class ErasedParts {
  /** Erasures from the bus read with one consumer, so they follow one another. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Pick<TenantDatabase, 'service' | 'reads'>,
    private readonly bus: BusErasure,
  ) {}

  /** The part of the erasure of a client, or of the practice by its id, with the end of the practice's log now; null before the erasure. */
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

  /** Erases what the bus still has of the client, or of the practice by its id. */
  eraseFromBus(therapistId: string, clientId: string): Promise<unknown> {
    const client = clientId === therapistId ? 'all' : clientId;
    const erasing = { service: this.database.service, therapistId, client };
    const next = this.last.then(() => this.erase(erasing));
    this.last = next.catch(() => undefined);
    return next;
  }

  private async erase(erasing: Erasing): Promise<void> {
    await eraseFromBus(this.bus, erasing);
    // A batch of events that was read before the practice was erased may have moved the mirror afterwards.
    if (erasing.client === 'all' && mirrorsClients(erasing.service))
      await this.bus.crossTenant.run(blankMirror(erasing));
  }
}
