// Single statements share a few connections in pipeline mode: many are on the wire of one connection at a time. Each statement is
// a transaction that first sets its practice and its time limit, so row-level security costs no round trip. No setting outlives
// the transaction, because a PgBouncer in front of Postgres gives each transaction any of its connections.

import { within } from '@practice/core';
import { actWithin, asSystem, pipeline, type Acting, type Statement, type TextRow } from '@practice/log';
import type { Pool, PoolClient } from 'pg';
import { chooseConnection, PipelinedConnection } from './pipelined-connection.js';
import { limitTime, setZone } from '../connections/session-settings.js';

export interface ReadSettings {
  /** The number of connections that reads share. Slow reads have one more connection. */
  readonly connections: number;
  /** The time limit of a read in milliseconds. A read that takes longer fails with 57014; the reads behind it are not affected. */
  readonly statementMs: number;
  /** The time in milliseconds after which a server that has not answered a read counts as lost. */
  readonly answersWithinMs?: number;
}

export class PipelinedConnections {
  private connections: (PipelinedConnection | undefined)[];
  private readonly opening = new Map<number, Promise<PipelinedConnection>>();
  /** The connections that were taken from the pool, also while they are being opened. */
  private readonly taken = new Set<PoolClient>();
  private isClosed = false;

  constructor(
    private readonly pool: Pool,
    private readonly sharing: ReadSettings,
  ) {
    this.connections = new Array<undefined>(sharing.connections).fill(undefined);
  }

  /**
   * Runs a statement in a practice and a role, as a transaction of its own.
   * @param settings of `session-settings.ts`, for this statement only
   */
  run(acting: Acting, statement: Statement, settings: readonly Statement[] = []): Promise<TextRow[]> {
    const { therapistId } = acting;
    const index = chooseConnection(this.connections, therapistId, performance.now());
    const connection = this.connections[index];
    const setup = [actWithin(acting, this.sharing.statementMs), ...settings];
    const rows =
      connection === undefined
        ? this.open(index).then((opened) => opened.run(therapistId, statement, setup))
        : connection.run(therapistId, statement, setup);
    return this.answered(rows);
  }

  /** Opens the first connection, if it is not open. */
  async ready(): Promise<void> {
    if (this.connections[0] === undefined) await this.answered(this.open(0));
  }

  /** Ends its connections. Statements that still wait for one fail. */
  close(): void {
    this.isClosed = true;
    for (const client of this.taken) this.end(client);
    this.connections = this.connections.map(() => undefined);
  }

  private answered<T>(work: Promise<T>): Promise<T> {
    const { answersWithinMs } = this.sharing;
    return answersWithinMs === undefined ? work : within(answersWithinMs, work, silent);
  }

  private open(index: number): Promise<PipelinedConnection> {
    const opening = this.opening.get(index) ?? this.connect(index).finally(() => this.opening.delete(index));
    this.opening.set(index, opening);
    return opening;
  }

  private async connect(index: number): Promise<PipelinedConnection> {
    this.requireOpen();
    const client = await this.pool.connect();
    this.taken.add(client);
    const connection = new PipelinedConnection(client);
    client.once('error', () => this.drop(connection));
    const { statementMs } = this.sharing;
    try {
      this.requireOpen();
      // Statements of a setup must have been prepared on the connection. These runs have no lasting effect.
      await pipeline(client, [actWithin(asSystem(''), statementMs), setZone('UTC'), limitTime(statementMs)]);
      this.requireOpen();
    } catch (error) {
      this.end(client);
      throw error;
    }
    this.connections[index] = connection;
    return connection;
  }

  /** A connection that opens later would be taken from the pool for ever. @throws {Error} as a lost connection does */
  private requireOpen(): void {
    if (this.isClosed) throw new Error('connection ended: these reads were closed');
  }

  private drop(connection: PipelinedConnection): void {
    this.connections = this.connections.map((one) => (one === connection ? undefined : one));
    this.end(connection.client);
  }

  private end(client: PoolClient): void {
    if (this.taken.delete(client)) client.release(true);
  }
}

/** As pg words the loss of a connection. */
const silent = (): Error => new Error('connection error: the server does not answer');
