// Single statements share a few connections in pipeline mode: many are on the wire of one connection at a time. Each is a
// transaction that begins with whose rows it may see, so that row-level security costs no round trip, and nothing of one is left
// to the next.

import { actFor, cork, pipeline, run } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import type { Pool, PoolClient } from 'pg';
import { setZone } from './zone.js';

interface Lane {
  readonly client: PoolClient;
  waiting: number;
}

export class Lanes {
  private lanes: (Lane | undefined)[];
  private readonly opening = new Map<number, Promise<Lane>>();

  /** @param count connections; each query waits for those before it on its own, so a slow one holds up only its lane */
  constructor(
    private readonly pool: Pool,
    count: number,
  ) {
    this.lanes = new Array<undefined>(count).fill(undefined);
  }

  /**
   * Runs a statement, a transaction of its own, as a practice.
   * @param timezone that timestamps are read and written in; null for UTC
   */
  run(therapistId: string, statement: Statement, timezone: string | null = null): Promise<TextRow[]> {
    const index = this.idlest();
    const lane = this.lanes[index];
    const prelude = timezone === null ? [actFor(therapistId)] : [actFor(therapistId), setZone(timezone)];
    return lane === undefined
      ? this.open(index).then((opened) => this.runOn(opened, statement, prelude))
      : this.runOn(lane, statement, prelude);
  }

  close(): void {
    for (const lane of this.lanes) lane?.client.release(true);
    this.lanes = this.lanes.map(() => undefined);
  }

  private async runOn(lane: Lane, statement: Statement, prelude: readonly Statement[]): Promise<TextRow[]> {
    lane.waiting += 1;
    cork(lane.client);
    try {
      return await run(lane.client, statement, prelude);
    } finally {
      lane.waiting -= 1;
    }
  }

  private idlest(): number {
    let best = 0;
    for (let index = 0; index < this.lanes.length; index += 1) {
      const [candidate, leader] = [this.lanes[index], this.lanes[best]];
      if (candidate === undefined) return index;
      if (leader !== undefined && candidate.waiting < leader.waiting) best = index;
    }
    return best;
  }

  private open(index: number): Promise<Lane> {
    const opening = this.opening.get(index) ?? this.connect(index).finally(() => this.opening.delete(index));
    this.opening.set(index, opening);
    return opening;
  }

  private async connect(index: number): Promise<Lane> {
    const client = await this.pool.connect();
    const lane: Lane = { client, waiting: 0 };
    client.once('error', () => this.drop(lane));
    // What stands in preludes has to be known to the connection; of these runs themselves nothing is left.
    await pipeline(client, [actFor(''), setZone('UTC')]).catch((error: unknown) => {
      client.release(true);
      throw error;
    });
    this.lanes[index] = lane;
    return lane;
  }

  private drop(lane: Lane): void {
    const index = this.lanes.indexOf(lane);
    if (index < 0) return;
    this.lanes[index] = undefined;
    lane.client.release(true);
  }
}
