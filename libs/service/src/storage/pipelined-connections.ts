// Single statements share a few connections in pipeline mode: many are on the wire of one connection at a time. Each is a
// transaction that begins by setting its practice, so row-level security costs no round trip and leaves nothing behind.

import { actFor, pipeline } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import type { Pool } from 'pg';
import { chooseConnection, PipelinedConnection } from './pipelined-connection.js';
import { setZone } from './zone.js';

export class PipelinedConnections {
  private connections: (PipelinedConnection | undefined)[];
  private readonly opening = new Map<number, Promise<PipelinedConnection>>();

  /** @param count of connections */
  constructor(
    private readonly pool: Pool,
    count: number,
  ) {
    this.connections = new Array<undefined>(count).fill(undefined);
  }

  /**
   * Runs a statement, a transaction of its own, as a practice.
   * @param timezone for reading and writing timestamps; null for UTC
   */
  run(therapistId: string, statement: Statement, timezone: string | null = null): Promise<TextRow[]> {
    const index = chooseConnection(this.connections, therapistId, performance.now());
    const connection = this.connections[index];
    const sessionSetup = timezone === null ? [actFor(therapistId)] : [actFor(therapistId), setZone(timezone)];
    return connection === undefined
      ? this.open(index).then((opened) => opened.run(therapistId, statement, sessionSetup))
      : connection.run(therapistId, statement, sessionSetup);
  }

  close(): void {
    for (const connection of this.connections) connection?.client.release(true);
    this.connections = this.connections.map(() => undefined);
  }

  private open(index: number): Promise<PipelinedConnection> {
    const opening = this.opening.get(index) ?? this.connect(index).finally(() => this.opening.delete(index));
    this.opening.set(index, opening);
    return opening;
  }

  private async connect(index: number): Promise<PipelinedConnection> {
    const client = await this.pool.connect();
    const connection = new PipelinedConnection(client);
    client.once('error', () => this.drop(connection));
    // Statements of a session setup must have been prepared on the connection. These runs have no lasting effect.
    await pipeline(client, [actFor(''), setZone('UTC')]).catch((error: unknown) => {
      client.release(true);
      throw error;
    });
    this.connections[index] = connection;
    return connection;
  }

  private drop(connection: PipelinedConnection): void {
    const index = this.connections.indexOf(connection);
    if (index < 0) return;
    this.connections[index] = undefined;
    connection.client.release(true);
  }
}
