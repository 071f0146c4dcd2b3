// Single statements share a few connections in pipeline mode: many are on the wire of one connection at a time, each behind
// one that says whose rows it may see, so that row-level security costs no round trip.

import { cork, run } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import type { Pool, PoolClient } from 'pg';
import { setZone } from './zone.js';

interface Lane {
  readonly client: PoolClient;
  waiting: number;
  /** Whose rows the connection sees once everything sent so far has run. */
  practice: string | null;
}

type Work = (lane: Lane) => Promise<TextRow[]>;

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
    const work = (on: Lane): Promise<TextRow[]> =>
      timezone === null ? run(on.client, statement) : this.runInZone(on, statement, timezone);
    return lane === undefined
      ? this.open(index).then((opened) => this.runOn(opened, therapistId, work))
      : this.runOn(lane, therapistId, work);
  }

  close(): void {
    for (const lane of this.lanes) lane?.client.release(true);
    this.lanes = this.lanes.map(() => undefined);
  }

  private async runOn(lane: Lane, therapistId: string, work: Work): Promise<TextRow[]> {
    lane.waiting += 1;
    cork(lane.client);
    try {
      if (lane.practice !== therapistId) this.enter(lane, therapistId);
      return await work(lane);
    } finally {
      lane.waiting -= 1;
    }
  }

  /** Not awaited: it is answered before the query behind it is. Should it fail, the lane is not to be trusted any more. */
  private enter(lane: Lane, therapistId: string): void {
    lane.practice = therapistId;
    run(lane.client, {
      text: `SELECT set_config('app.therapist_id', $1, false)`,
      values: [therapistId],
    }).catch(() => this.drop(lane));
  }

  /** Nothing else comes between the three, which are on the wire before this returns. */
  private async runInZone(lane: Lane, statement: Statement, timezone: string): Promise<TextRow[]> {
    const [set, answer] = await Promise.allSettled([
      run(lane.client, setZone(timezone, 'session')),
      run(lane.client, statement),
      // Should it fail, whoever comes next would be told times of that zone.
      run(lane.client, { text: 'RESET TimeZone', values: [] }).catch(() => this.drop(lane)),
    ]);
    if (set.status === 'rejected') throw set.reason;
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
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
    const lane: Lane = { client, waiting: 0, practice: null };
    client.once('error', () => this.drop(lane));
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
