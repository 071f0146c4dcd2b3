import { eraseClient, erasures, personalServices, type Erasure } from '@practice/contracts';
import { newId, problemFor, reject } from '@practice/core';
import { run } from '@practice/log';
import { newRecord, type ArgumentsOf } from '@practice/resource';
import { erasePersonal, ErasureLedger } from '@practice/privacy';
import { Handles, type FunctionHandler, type WritingCall } from '@practice/write';
import type { ClientBase } from 'pg';
import { ErasureSteps } from './erasure-steps.js';
import { openErasure } from './open-erasures.js';

/** Begins an erasure. The part of this service is done in the same transaction. Other services learn of the erasure from its event. */
@Handles(eraseClient)
export class EraseClient implements FunctionHandler<typeof eraseClient> {
  constructor(
    private readonly steps: ErasureSteps,
    private readonly ledger: ErasureLedger,
  ) {}

  /** @throws {Rejection} PM404 for an unknown client */
  async call({ client_id: clientId, reason }: ArgumentsOf<typeof eraseClient>, call: WritingCall) {
    const { caller, transaction, beforeCommit, afterCommit } = call;
    const { therapistId, userId } = caller;
    const { client, now } = transaction;
    afterCommit(() => this.steps.wake());
    const begun = await erasureOf(client, therapistId, clientId);
    if (begun !== undefined) return begun;
    if (!(await isKnown(client, therapistId, clientId))) reject(unknownClient(clientId));
    const id = newId();
    await run(client, openErasure({ therapistId, id }));
    const events = await erasePersonal(client, { service: 'clients', therapistId, client: clientId });
    beforeCommit(() => this.ledger.add({ therapistId, client: clientId }));
    const services = Object.fromEntries(
      personalServices.map((service) => [
        service,
        service === 'clients' ? { status: 'done', events } : { status: 'running' },
      ]),
    );
    const values = { client_id: clientId, requested_at: now, requested_by: userId, reason };
    const record = newRecord(
      erasures,
      { ...values, status: 'running', services },
      { therapistId, now, id: () => id },
    );
    await transaction.create(erasures, record);
    return record as Erasure;
  }
}

/** The erasure of a client; undefined if there was no erasure. */
async function erasureOf(
  client: ClientBase,
  therapistId: string,
  clientId: string,
): Promise<Erasure | undefined> {
  const { rows } = await client.query<{ row: string }>(
    'SELECT _json AS row FROM clients.erasures WHERE therapist_id = $1 AND client_id = $2',
    [therapistId, clientId],
  );
  return rows[0] && (JSON.parse(rows[0].row) as Erasure);
}

/** Whether there is or was a client with this id. A deleted client is still in the log. */
async function isKnown(client: ClientBase, therapistId: string, clientId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM clients.events WHERE therapist_id = $1 AND stream_id = $2 AND aggregate = 'client' LIMIT 1`,
    [therapistId, clientId],
  );
  return rowCount === 1;
}

const unknownClient = (id: string) =>
  problemFor('PM404', {
    message: 'the client does not exist',
    details: `Key (id)=(${id}) is not present in table "clients".`,
  });
