// Every door through which confidential records are read leaves a row in the access log.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { adminDatabase, make, newPractice, stack } from '@practice/testing';
import type { Call, Made, Practice } from '@practice/testing';
import pg from 'pg';

interface Row {
  readonly at: string;
  readonly request_id: string;
  readonly resource: string;
  readonly method: string;
  readonly record_ids: readonly string[] | null;
  readonly count: number;
}

let practice: Practice;
const admin = adminDatabase();
let client: Made;
let notes: readonly string[];

beforeAll(async () => {
  practice = await newPractice();
  client = await make(practice, 'clients', { name: 'Ada' });
  const made = [];
  for (const plan of ['rest', 'walk'])
    made.push(await make(practice, 'sessions', { client_id: client.id, plan }));
  notes = made.map(({ id }) => id).sort();
});

/** Sends a request; its rows in the access log, in the order of the resources' names. */
async function rowsOf(path: string, given: Call = {}): Promise<Row[]> {
  const requestId = randomUUID();
  const headers = { 'x-request-id': requestId, ...given.headers };
  const answer = await practice.rest(path, { ...given, headers });
  expect([answer.status < 300, answer.status < 300 ? '' : answer.text]).toEqual([true, '']);
  const select = 'at,request_id,resource,method,record_ids,count';
  const log = await practice.rest(`access_log?request_id=eq.${requestId}&select=${select}&order=resource`);
  return (log.json as Row[]).map((row) => ({
    ...row,
    record_ids: row.record_ids && [...row.record_ids].sort(),
  }));
}

const prefer = (value: string): Call => ({ headers: { prefer: value } });

describe('a read of confidential records is recorded', () => {
  it('with who, when, from where and which records', async () => {
    const before = Date.now();
    const [row] = await rowsOf('sessions');
    expect(row).toMatchObject({ resource: 'sessions', method: 'GET', record_ids: notes, count: 2 });
    expect(Math.abs(Date.parse(String(row?.at)) - before)).toBeLessThan(60_000);
    const { json } = await practice.rest(`access_log?request_id=eq.${row?.request_id}`);
    expect(json).toEqual([
      expect.objectContaining({
        therapist_id: practice.therapistId,
        ...{ actor: 'user', actor_id: practice.therapistId, actor_name: practice.email },
        address: expect.stringMatching(/127\.0\.0\.1|::1/),
      }),
    ]);
  });

  it.each<[string, Call, object]>([
    ['sessions?select=plan', {}, { count: 2 }],
    ['sessions?select=plan&limit=1&order=plan.desc', {}, { count: 1 }],
    ['sessions?select=plan,count()', {}, { count: 2 }],
    ['sessions?select=created_at.max()', {}, { count: 2 }],
    ['sessions?select=plan', { headers: { accept: 'text/csv' } }, { count: 2 }],
    ['sessions?plan=eq.rest', { headers: { accept: 'application/vnd.pgrst.object+json' } }, { count: 1 }],
    ['sessions?select=clients(name)', {}, { count: 2 }],
    ['sessions?select=id,sessions_history(after)', {}, { count: 2 }],
    ['sessions_history?select=after', {}, { resource: 'sessions_history', count: 2 }],
    ['clients?select=name,sessions(plan)', {}, { count: 2 }],
    ['clients?select=name,sessions(plan)&sessions.limit=1', {}, { count: 1 }],
    ['clients?select=name,sessions(plan,count())', {}, { count: 2 }],
    ['clients?select=name,sessions!inner()&sessions.plan=like.re*', {}, { count: 1 }],
  ])('%s %j', async (path, given, expected) => {
    const rows = await rowsOf(path, given);
    const { count } = expected as { count: number };
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toMatchObject({ resource: 'sessions', ...expected });
    const ids = rows.flatMap(({ record_ids: recorded }) => recorded ?? []);
    expect(new Set(ids).size).toBe(count);
    expect(ids.every((id) => notes.includes(id))).toBe(true);
  });

  it.each<[string, Call]>([
    ['sessions', { method: 'HEAD' }],
    ['sessions', { method: 'HEAD', ...prefer('count=exact') }],
    ['sessions?select=count()', {}],
  ])('%s %j with the number only, as nothing else is shown', async (path, given) => {
    expect(await rowsOf(path, given)).toMatchObject([{ record_ids: null, count: 2 }]);
  });

  it('of other records, of no record, and of the log itself is not', async () => {
    for (const path of ['clients', 'clients_history', `sessions?id=eq.${randomUUID()}`, 'access_log'])
      expect(await rowsOf(path)).toEqual([]);
  });
});

describe('a write', () => {
  it('is recorded if its response shows the records, also when it is sent again', async () => {
    const body = { client_id: client.id, plan: 'sleep' };
    const headers = { 'idempotency-key': randomUUID(), prefer: 'return=representation' };
    const [first] = await rowsOf('sessions', { method: 'POST', body, headers });
    expect(first).toMatchObject({ method: 'POST', count: 1, record_ids: [expect.any(String)] });
    const again = await rowsOf('sessions', { method: 'POST', body, headers });
    expect(again).toMatchObject([{ method: 'POST', record_ids: first?.record_ids }]);
    const path = `sessions?id=eq.${first?.record_ids?.[0]}`;
    const change = { method: 'PATCH', body: { plan: 'run' } };
    expect(await rowsOf(path, change)).toEqual([]);
    expect(
      await rowsOf(`${path}&select=plan`, { ...change, ...prefer('return=representation') }),
    ).toMatchObject([{ method: 'PATCH', record_ids: first?.record_ids }]);
    const dry = { ...change, body: { plan: 'hop' }, ...prefer('return=representation,tx=rollback') };
    expect(await rowsOf(path, dry)).toMatchObject([{ method: 'PATCH', record_ids: first?.record_ids }]);
    const removal = { method: 'DELETE', ...prefer('return=representation') };
    expect(await rowsOf(path, removal)).toMatchObject([{ method: 'DELETE', record_ids: first?.record_ids }]);
  });
});

describe('an undo', () => {
  it('is recorded with the notes that it shows, also when it is sent again', async () => {
    const note = await make(practice, 'sessions', { client_id: client.id, plan: 'sing' });
    const changed = await practice.rest(`sessions?id=eq.${note.id}`, {
      method: 'PATCH',
      body: { plan: 'dance' },
    });
    const body = { change_id: changed.headers.get('change-id') };
    const call = { method: 'POST', body, headers: { 'idempotency-key': randomUUID() } };
    for (let time = 0; time < 2; time += 1)
      expect(await rowsOf('rpc/undo', call)).toMatchObject([
        { resource: 'sessions', method: 'POST', record_ids: [note.id], count: 1 },
      ]);
  });
});

describe('the access log', () => {
  it('is read-only', async () => {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      const body = method === 'DELETE' ? {} : { body: { count: 0 } };
      const answer = await practice.rest('access_log?count=gt.0', { method, ...body });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'OPTIONS,GET,HEAD']);
    }
  });

  it('cannot be changed by the role that serves requests', async () => {
    const requests = new pg.Client({ connectionString: stack().databaseUrl('clinical_notes') });
    await requests.connect();
    for (const sql of [
      'UPDATE clinical_notes.access_log SET count = 0',
      'DELETE FROM clinical_notes.access_log',
      'TRUNCATE clinical_notes.access_log',
    ])
      await expect(requests.query(sql)).rejects.toThrow('permission denied');
    await requests.end();
  });

  it('of another practice is not visible', async () => {
    const other = await newPractice();
    expect((await other.rest('access_log')).json).toEqual([]);
  });
});

describe('an access that cannot be recorded', () => {
  const unrecordable = async (work: () => Promise<void>): Promise<void> => {
    await admin.query(
      `ALTER TABLE clinical_notes.access_log ADD CONSTRAINT refused CHECK (therapist_id <> '${practice.therapistId}') NOT VALID`,
    );
    try {
      await work();
    } finally {
      await admin.query('ALTER TABLE clinical_notes.access_log DROP CONSTRAINT refused');
    }
  };

  const expectRefused = async (path: string, given: Call = {}): Promise<void> => {
    const answer = await practice.rest(path, given);
    expect([path, answer.status, answer.json]).toEqual([
      path,
      503,
      expect.objectContaining({ code: 'PM503', message: expect.stringContaining('recorded') }),
    ]);
    expect(answer.text).not.toContain('rest');
  };

  it('shows nothing', async () => {
    await unrecordable(async () => {
      for (const path of ['sessions', 'clients?select=name,sessions(plan)']) await expectRefused(path);
      expect((await practice.rest('clients')).status).toBe(200);
    });
  });

  it('by a write changes nothing, and is done when it is repeated', async () => {
    const note = await make(practice, 'sessions', { client_id: client.id, plan: 'rest more' });
    const path = `sessions?id=eq.${note.id}`;
    const write = { method: 'PATCH', body: { plan: 'rest less' } };
    const shown = {
      ...write,
      headers: { prefer: 'return=representation', 'idempotency-key': randomUUID() },
    };
    const history = `sessions_history?id=eq.${note.id}&select=change_id`;
    const [creation] = (await practice.rest(history)).json as { change_id: string }[];
    const undo = { method: 'POST', body: creation };
    await unrecordable(async () => {
      await expectRefused(path, shown);
      await expectRefused(path, { ...shown, ...prefer('return=representation,tx=rollback') });
      await expectRefused('rpc/undo', undo);
    });
    expect((await practice.rest(`${path}&select=plan`)).json).toEqual([{ plan: 'rest more' }]);
    expect((await practice.rest(history)).json).toHaveLength(1);
    expect((await practice.rest(path, shown)).json).toMatchObject([{ plan: 'rest less' }]);
  });
});
