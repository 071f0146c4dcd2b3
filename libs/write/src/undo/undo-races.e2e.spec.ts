// Undos and writes of the same records at the same time.
import { beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { make, newPractice, write, type Answer, type Practice } from '@practice/testing';

const REQUESTS = 200;
const RECORDS = 4;
const REPEATED = 20;

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

interface Entry {
  readonly id: string;
  readonly version: number;
  readonly change_id: string;
  readonly undoes: string | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

const patch = (id: string, amount: number): Promise<Answer> =>
  write(practice, `expenses?id=eq.${id}`, { method: 'PATCH', body: { amount } });

const undo = (change: string, key?: string): Promise<Answer> =>
  write(practice, 'rpc/undo', {
    method: 'POST',
    body: { change_id: change },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });

const changeOf = ({ headers }: Answer): string => headers.get('change-id') as string;

const history = async (): Promise<Entry[]> =>
  (await practice.rest('expenses_history?order=position')).json as Entry[];

/** The records as the history has them. */
function folded(entries: readonly Entry[]): Map<string, object> {
  const records = new Map<string, object>();
  for (const { id, after } of entries) {
    if (after === null) records.delete(id);
    else records.set(id, { ...records.get(id), ...after });
  }
  return records;
}

it('undos and writes at the same time are each carried out or refused, and the records match their events', async () => {
  const ids: string[] = [];
  for (let index = 0; index < RECORDS; index += 1)
    ids.push((await make(practice, 'expenses', { date: '2026-01-02', amount: 1, category: 'rent' })).id);
  const changes: string[] = [];
  for (let index = 0; index < 40; index += 1)
    changes.push(changeOf(await patch(ids[index % RECORDS] as string, 2 + index)));
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, (_, index) =>
      index % 2 === 0
        ? patch(ids[(index / 2) % RECORDS] as string, 100 + index)
        : undo(changes[changes.length - 1 - (((index - 1) / 2) % changes.length)] as string),
    ),
  );
  const undos = answers.filter((_, index) => index % 2 === 1);
  for (const { status, json } of undos)
    expect([200, 409]).toContain(status === 409 && (json as { code: string }).code !== 'PM007' ? 0 : status);
  expect(answers.filter((_, index) => index % 2 === 0).map(({ status }) => status)).toEqual(
    Array(REQUESTS / 2).fill(204),
  );
  const entries = await history();
  const carriedOut = undos.filter(({ status }) => status === 200).map(changeOf);
  expect(new Set(carriedOut).size).toBe(carriedOut.length);
  expect(new Set(entries.filter(({ undoes }) => undoes !== null).map(({ change_id: id }) => id))).toEqual(
    new Set(carriedOut),
  );
  for (const id of ids)
    expect(entries.filter((entry) => entry.id === id).map(({ version }) => version)).toEqual(
      entries.filter((entry) => entry.id === id).map((_, index) => index + 1),
    );
  const { json } = await practice.rest('expenses');
  for (const { updated_at: _, ...record } of json as ({ id: string } & Record<string, unknown>)[])
    expect(folded(entries).get(record.id)).toEqual(record);
});

it('undos are carried out once for each key, however often and whenever they arrive', async () => {
  const { id } = await make(practice, 'expenses', { date: '2026-01-02', amount: 1, category: 'rent' });
  const change = changeOf(await patch(id, 2));
  const key = randomUUID();
  const first = await Promise.all(Array.from({ length: REPEATED }, () => undo(change, key)));
  expect(new Set(first.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  // The record has the value of the change again, so the undo could be carried out a second time.
  await patch(id, 2);
  const later = await undo(change, key);
  expect([later.status, later.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  const { json } = await practice.rest(`expenses_history?id=eq.${id}&undoes=eq.${change}`);
  expect(json).toHaveLength(1);
});
