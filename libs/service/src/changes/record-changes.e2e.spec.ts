// Questions to a service about changes of its records: each answer has the record before and after, whatever the number of events.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RECORD_CHANGES } from '@practice/contracts';
import type { AskedChange, ToldChange } from '@practice/contracts';
import { connect, createRequester } from '@practice/messaging';
import type { Connection, InPractice, Requester } from '@practice/messaging';
import { find, make, newPractice, patch, remove, slot, stack } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

let connection: Connection;
let requester: Requester;
let practice: Practice;

beforeAll(async () => {
  connection = await connect({ url: stack().natsUrl('admin'), name: 'spec', logger: silent });
  requester = createRequester({ connection, user: connection.user, timeoutMs: 10_000 });
  practice = await newPractice();
});

afterAll(async () => {
  requester.close();
  await connection.close();
});

async function told(service: string, asked: readonly AskedChange[], of = practice): Promise<ToldChange[]> {
  const envelope = { op: RECORD_CHANGES, therapistId: of.therapistId, requestId: randomUUID() };
  const { status, body } = await requester.request<InPractice>(service, envelope, JSON.stringify(asked));
  expect([status, status === 200 ? '' : body.toString()]).toEqual([200, '']);
  return JSON.parse(body.toString()) as ToldChange[];
}

const appointment = (id: string, version: number): AskedChange => ({ resource: 'appointments', id, version });

const read = async (made: Made, of = practice): Promise<Made> =>
  (await find(of, 'appointments', made.id)) as Made;

describe('a question about changes of records', () => {
  it('is answered with the record as reads show it: of a creation, a change and a deletion', async () => {
    const created = await make(practice, 'appointments', { ...slot(0), notes: 'first' });
    await patch(practice, 'appointments', { id: created.id, notes: 'second' });
    const changed = await read(created);
    await remove(practice, 'appointments', created.id);

    const asked = [1, 2, 3].map((version) => appointment(created.id, version));
    const changes = await told('scheduling', asked);

    expect(changes.map(({ before, after }) => [before, after])).toEqual([
      [null, created],
      [created, changed],
      [changed, null],
    ]);
    expect(changes[1]?.at).toBe(changed['updated_at']);
  });

  it('is about all events of a change, whichever of them names it', async () => {
    const created = await make(practice, 'appointments', slot(1));
    // One request, two events: the time and the status.
    await patch(practice, 'appointments', { id: created.id, ...slot(2), status: 'confirmed' });
    const changed = await read(created);
    await patch(practice, 'appointments', { id: created.id, notes: 'later' });

    const [one, other] = await told('scheduling', [appointment(created.id, 2), appointment(created.id, 3)]);

    expect([one?.before, one?.after]).toEqual([created, changed]);
    expect([other?.before, other?.after]).toEqual([created, changed]);
  });

  it('is answered about versions that were replaced in the transaction in which they began', async () => {
    const client = await make(practice, 'clients', { name: 'Ada' });
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        patch(practice, 'clients', { id: client.id, phone: String(index) }),
      ),
    );
    const asked = Array.from({ length: 13 }, (_, index) => ({
      resource: 'clients',
      id: client.id,
      version: index + 1,
    }));
    const changes = (await told('clients', asked)).sort((one, other) => one.version - other.version);

    expect(changes[0]).toMatchObject({ before: null, after: client });
    for (const [index, { before }] of changes.entries())
      if (index > 0) expect(before).toEqual(changes[index - 1]?.after);
    expect(changes.at(-1)?.after).toEqual(await find(practice, 'clients', client.id));
  });

  it('does not show confidential columns', async () => {
    const { id: client_id } = await make(practice, 'clients', { name: 'Bob' });
    const note = await make(practice, 'sessions', { client_id, plan: 'a canary', subjective: 'a canary' });
    const [change] = await told('clinical-notes', [{ resource: 'sessions', id: note.id, version: 1 }]);
    expect(change?.after).toMatchObject({ id: note.id, client_id });
    expect(JSON.stringify(change)).not.toContain('canary');
  });

  it('finds nothing of another practice', async () => {
    const created = await make(practice, 'appointments', slot(3));
    const asked = [appointment(created.id, 1)];
    expect(await told('scheduling', asked, await newPractice())).toEqual([]);
    expect(await told('scheduling', [appointment(randomUUID(), 1)])).toEqual([]);
  });
});
