import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { adminDatabase, eventually, find, make, newPractice, remove, slot } from '@practice/testing';
import type { Answer, Made, Practice } from '@practice/testing';

let practice: Practice;
const admin = adminDatabase();
let slots = 0;

beforeAll(async () => {
  practice = await newPractice();
});

const register = (name = 'Ada'): Promise<Made> => make(practice, 'clients', { name });
/** A late write under a key is 503, and not 504. */
const keyed = () => ({ 'idempotency-key': randomUUID() });
const book = ({ id }: Made): Promise<Answer> =>
  practice.rest('appointments', {
    ...{ method: 'POST', headers: keyed() },
    body: { ...slot(slots++), client_id: id },
  });
const note = ({ id }: Made): Promise<Answer> =>
  practice.rest('sessions', { method: 'POST', body: { client_id: id, plan: 'rest' } });

/** Marks a client in both services, as the clients service and then scheduling do before a deletion. */
async function mark({ id }: Made, age: string): Promise<void> {
  const token = randomUUID();
  for (const schema of ['clients', 'scheduling'])
    await admin.query(
      `insert into ${schema}.deletion_marks (therapist_id, resource, id, token, version, marked_at)
       values ($1, 'clients', $2, $3, 1, now() - $4::interval)`,
      [practice.therapistId, id, token, age],
    );
}

async function marksOf(schema: string, { id }: Made): Promise<number> {
  const { rowCount } = await admin.query(`select from ${schema}.deletion_marks where id = $1`, [id]);
  return rowCount ?? 0;
}

describe('a client whose deletion was started by a process that died', () => {
  it('is not deleted: it can be booked, and the marks are removed', async () => {
    const ada = await register();
    await mark(ada, '11 seconds');
    expect((await book(ada)).status).toBe(201);
    expect([await marksOf('clients', ada), await marksOf('scheduling', ada)]).toEqual([0, 0]);
    expect((await book(ada)).status).toBe(201);
  });

  it('can be deleted by the next request', async () => {
    const ada = await register();
    await mark(ada, '11 seconds');
    expect((await remove(practice, 'clients', ada.id)).status).toBe(204);
    expect((await book(ada)).json).toMatchObject({ code: '23503' });
  });
});

describe('a client that is being deleted', () => {
  it('cannot be referred to until the outcome is known: the answer is 503, not a wrong 409', async () => {
    const ada = await register();
    // The mark must not become old while two requests wait for the outcome.
    await mark(ada, '-30 seconds');
    const answer = await book(ada);
    expect(answer).toMatchObject({ status: 503, json: { code: 'PM503' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const removal = { method: 'DELETE', headers: keyed() };
    expect((await practice.rest(`clients?id=eq.${ada.id}`, removal)).status).toBe(503);
    expect(await find(practice, 'clients', ada.id)).toEqual(ada);
    await admin.query('delete from clients.deletion_marks where id = $1', [ada.id]);
    expect((await book(ada)).status).toBe(201);
    expect(await marksOf('scheduling', ada)).toBe(0);
  });

  it('can be read and changed in the meantime', async () => {
    const ada = await register();
    await mark(ada, '0 seconds');
    const renamed = await practice.rest(`clients?id=eq.${ada.id}`, { method: 'PATCH', body: { name: 'Bo' } });
    expect(renamed.status).toBe(204);
    expect(await find(practice, 'clients', ada.id)).toMatchObject({ name: 'Bo' });
  });
});

describe('a deletion', () => {
  it('that is refused leaves no mark, and the client can be referred to at once', async () => {
    const ada = await register();
    expect((await note(ada)).status).toBe(201);
    expect((await remove(practice, 'clients', ada.id)).json).toMatchObject({ code: '23503' });
    expect(await marksOf('clients', ada)).toBe(0);
    expect((await book(ada)).status).toBe(201);
    expect(await marksOf('scheduling', ada)).toBe(0);
  });

  it('takes effect at once in every service, and its marks disappear with its event', async () => {
    const ada = await register();
    expect((await remove(practice, 'clients', ada.id)).status).toBe(204);
    expect((await book(ada)).json).toMatchObject({ code: '23503' });
    expect((await note(ada)).json).toMatchObject({ code: '23503' });
    const bo = await register('Bo');
    expect((await book(bo)).status).toBe(201);
    await eventually('the marks are gone', async () => {
      const left = await Promise.all(['scheduling', 'clinical_notes'].map((schema) => marksOf(schema, ada)));
      return left.every((count) => count === 0);
    });
  });

  it('as a dry run asks the other services, but changes nothing in any service', async () => {
    const [free, bound] = [await register(), await register()];
    await book(bound);
    const dryRun = ({ id }: Made): Promise<Answer> =>
      practice.rest(`clients?id=eq.${id}`, { method: 'DELETE', headers: { prefer: 'tx=rollback' } });
    expect((await dryRun(free)).status).toBe(204);
    expect(await dryRun(bound)).toMatchObject({ status: 409, json: { code: '23503' } });
    expect(await find(practice, 'clients', free.id)).toEqual(free);
    expect([await marksOf('clients', free), await marksOf('scheduling', free)]).toEqual([0, 0]);
  });

  it('of several clients is refused as a whole, and the error names the client that is referred to', async () => {
    const clients = [await register(), await register(), await register()];
    const bound = clients[1] as Made;
    await book(bound);
    const ids = clients.map(({ id }) => id).join(',');
    const answer = await practice.rest(`clients?id=in.(${ids})&order=id`, { method: 'DELETE' });
    expect(answer).toMatchObject({ status: 409, json: { code: '23503' } });
    expect((answer.json as { details: string }).details).toContain(`Key (id)=(${bound.id})`);
    for (const client of clients) {
      expect(await find(practice, 'clients', client.id)).toBeDefined();
      expect(await marksOf('clients', client)).toBe(0);
    }
  });

  it('with an Idempotency-Key happens once, and each request gets the same answer', async () => {
    const ada = await register();
    const headers = { 'idempotency-key': randomUUID() };
    const send = (): Promise<Answer> =>
      practice.rest(`clients?id=eq.${ada.id}`, { method: 'DELETE', headers });
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    const replayed = answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true');
    expect(replayed).toHaveLength(2);
    const { rows } = await admin.query(
      `select type from clients.events where stream_id = $1 order by version`,
      [ada.id],
    );
    expect(rows).toEqual([{ type: 'ClientRegistered' }, { type: 'ClientDeleted' }]);
  });

  it('lets the id be used again', async () => {
    const ada = await register();
    expect((await remove(practice, 'clients', ada.id)).status).toBe(204);
    const body = { id: ada.id, name: 'Ada again' };
    expect((await practice.rest(`clients?id=eq.${ada.id}`, { method: 'PUT', body })).status).toBeLessThan(
      300,
    );
    expect((await book(ada)).status).toBe(201);
    expect(await remove(practice, 'clients', ada.id)).toMatchObject({ status: 409, json: { code: '23503' } });
  });

  it('of an appointment with a note is refused', async () => {
    const ada = await register();
    const visit = await make(practice, 'appointments', { ...slot(slots++), client_id: ada.id });
    await make(practice, 'sessions', { client_id: ada.id, appointment_id: visit.id });
    expect(await remove(practice, 'appointments', visit.id)).toMatchObject({
      status: 409,
      json: { code: '23503' },
    });
  });
});
