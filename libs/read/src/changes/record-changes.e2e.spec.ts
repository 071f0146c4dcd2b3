// Questions to a service about changes of its records. Each answer has the record before and after, for any number of events.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RECORD_CHANGES, TOLD_CHANGES_BYTES, type AskedChange, type ToldChange } from '@practice/contracts';
import { connect, createRequester, type Connection, type InPractice, type Requester } from '@practice/bus';
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

const answerOf = (service: string, asked: readonly AskedChange[], { therapistId } = practice) =>
  requester.request<InPractice>(
    service,
    { op: RECORD_CHANGES, therapistId, requestId: randomUUID() },
    JSON.stringify(asked),
  );

async function told(service: string, asked: readonly AskedChange[], of = practice): Promise<ToldChange[]> {
  const { status, body } = await answerOf(service, asked, of);
  expect([status, status === 200 ? '' : body.toString()]).toEqual([200, '']);
  return JSON.parse(body.toString()) as ToldChange[];
}

const appointment = (id: string, version: number): AskedChange => ({ resource: 'appointments', id, version });

const read = async (made: Made, of = practice): Promise<Made> =>
  (await find(of, 'appointments', made.id)) as Made;

describe('a question about changes of records', () => {
  it('is answered with the record as reads show it, for a creation, a change and a deletion', async () => {
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

  it('is about all events of a change, even if it names only one of them', async () => {
    const created = await make(practice, 'appointments', slot(1));
    // One request, two events: the time and the status.
    await patch(practice, 'appointments', { id: created.id, ...slot(2), status: 'confirmed' });
    const changed = await read(created);
    await patch(practice, 'appointments', { id: created.id, notes: 'later' });

    const [one, other] = await told('scheduling', [appointment(created.id, 2), appointment(created.id, 3)]);

    expect([one?.before, one?.after]).toEqual([created, changed]);
    expect([other?.before, other?.after]).toEqual([created, changed]);
  });

  it('is answered for versions that were replaced in the same transaction that created them', async () => {
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

  it('is answered in parts of limited size, in the order of the question', async () => {
    const large = 'x'.repeat(60_000);
    const [one, other] = [
      await make(practice, 'appointments', { ...slot(4), notes: large }),
      await make(practice, 'appointments', { ...slot(5), notes: large }),
    ];
    for (const notes of ['1', '2', '3', '4', '5'])
      for (const { id } of [one, other]) await patch(practice, 'appointments', { id, notes: large + notes });
    const asked = [6, 5, 4, 3, 2, 1].flatMap((version) =>
      [one, other].map(({ id }) => appointment(id, version)),
    );

    const parts: ToldChange[][] = [];
    for (let rest = asked; rest.length > 0;) {
      const { status, body } = await answerOf('scheduling', rest);
      expect(body.length).toBeLessThanOrEqual(TOLD_CHANGES_BYTES + 2 * rest.length);
      const part = JSON.parse(body.toString()) as ToldChange[];
      expect(part.length).toBeGreaterThan(0);
      parts.push(part);
      expect(status).toBe(part.length === rest.length ? 200 : 206);
      rest = rest.slice(part.length);
    }

    expect(parts.length).toBeGreaterThan(4);
    expect(parts.flat().map(({ id, version }) => appointment(id, version))).toEqual(asked);
  });

  it('is answered with a change that is larger than a part', async () => {
    const notes = '\u20ac'.repeat(60_000);
    const { id } = await make(practice, 'appointments', { ...slot(6), notes });
    await patch(practice, 'appointments', { id, notes: `${notes}!` });
    const { status, body } = await answerOf('scheduling', [appointment(id, 2), appointment(id, 1)]);
    expect(body.length).toBeGreaterThan(TOLD_CHANGES_BYTES);
    expect([status, (JSON.parse(body.toString()) as unknown[]).length]).toEqual([206, 1]);
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
