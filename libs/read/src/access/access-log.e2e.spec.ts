// Every way to read confidential records adds a row to the access log.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { adminDatabase, make, newPractice, stack, withClient } from '@practice/testing';
import type { Answer, Call, Made, Practice } from '@practice/testing';

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

/** Sends a request that must succeed. Returns its rows in the access log, ordered by the names of the resources. */
async function rowsOf(path: string, given: Call = {}): Promise<Row[]> {
  const { answer, rows } = await send(path, given);
  expect([answer.status < 300, answer.status < 300 ? '' : answer.text]).toEqual([true, '']);
  return rows;
}

async function send(path: string, given: Call): Promise<{ answer: Answer; rows: Row[] }> {
  const requestId = randomUUID();
  const headers = { 'x-request-id': requestId, ...given.headers };
  const answer = await practice.rest(path, { ...given, headers });
  const select = 'at,request_id,resource,method,record_ids,count';
  const log = await practice.rest(`access_log?request_id=eq.${requestId}&select=${select}&order=resource`);
  const rows = (log.json as Row[]).map((row) => ({
    ...row,
    record_ids: row.record_ids && [...row.record_ids].sort(),
  }));
  return { answer, rows };
}

const prefer = (value: string): Call => ({ headers: { prefer: value } });

describe('a read of confidential records is recorded', () => {
  it('with the caller, the time, the address and the records', async () => {
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
    ['sessions?select=plan&limit=1', {}, { count: 1 }],
    ['sessions?select=plan&limit=1&order=plan.desc', {}, { count: 2 }],
    ['sessions?select=plan,count()', {}, { count: 2 }],
    ['sessions?select=created_at.max()', {}, { count: 2 }],
    ['sessions?select=plan', { headers: { accept: 'text/csv' } }, { count: 2 }],
    ['sessions?plan=eq.rest', { headers: { accept: 'application/vnd.pgrst.object+json' } }, { count: 2 }],
    ['sessions?select=clients(name)', {}, { count: 2 }],
    ['sessions?select=id,sessions_history(after)', {}, { count: 2 }],
    ['sessions_history?select=after', {}, { resource: 'sessions_history', count: 2 }],
    ['clients?select=name,sessions(plan)', {}, { count: 2 }],
    ['clients?select=name,sessions(plan)&sessions.limit=1', {}, { count: 1 }],
    ['clients?select=name,sessions(plan,count())', {}, { count: 2 }],
    ['clients?select=name,sessions!inner()&sessions.plan=like.re*', {}, { count: 2 }],
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
  ])('%s %j with only the number, because the response shows nothing else', async (path, given) => {
    expect(await rowsOf(path, given)).toMatchObject([{ record_ids: null, count: 2 }]);
  });

  it('but not a read of other records, of no record, or of the log itself', async () => {
    for (const path of ['clients', 'clients_history', `sessions?id=eq.${randomUUID()}`, 'access_log'])
      expect(await rowsOf(path)).toEqual([]);
  });
});

describe('a write', () => {
  it('is recorded if its response shows records, even when it is repeated', async () => {
    const body = { client_id: client.id, plan: 'sleep' };
    const headers = { 'idempotency-key': randomUUID(), prefer: 'return=representation' };
    const [first] = await rowsOf('sessions', { method: 'POST', body, headers });
    expect(first).toMatchObject({ method: 'POST', count: 1, record_ids: [expect.any(String)] });
    const again = await rowsOf('sessions', { method: 'POST', body, headers });
    expect(again).toMatchObject([{ method: 'POST', record_ids: first?.record_ids }]);
    const path = `sessions?id=eq.${first?.record_ids?.[0]}`;
    const change = { method: 'PATCH', body: { plan: 'run' } };
    // The ETag of the response shows whether the note already had the sent value.
    expect(await rowsOf(path, change)).toMatchObject([{ method: 'PATCH', record_ids: first?.record_ids }]);
    expect(
      await rowsOf(`${path}&select=plan`, { ...change, ...prefer('return=representation') }),
    ).toMatchObject([{ method: 'PATCH', record_ids: first?.record_ids }]);
    const dry = { ...change, body: { plan: 'hop' }, ...prefer('return=representation,tx=rollback') };
    expect(await rowsOf(path, dry)).toMatchObject([{ method: 'PATCH', record_ids: first?.record_ids }]);
    const removal = { method: 'DELETE', ...prefer('return=representation') };
    expect(await rowsOf(path, removal)).toMatchObject([{ method: 'DELETE', record_ids: first?.record_ids }]);
  });
});

describe('a request that asks about notes without showing them', () => {
  const exact = prefer('count=exact');
  const about = (path: string): string =>
    path
      .replace('NOTE', notes[0] ?? '')
      .replace('OTHER', notes[1] ?? '')
      .replace('NOW', new Date().toISOString());

  it.each<[string, Call, number]>([
    ['sessions?id=eq.NOTE&select=id&limit=0&subjective=match.^S', exact, 1],
    ['sessions?id=eq.NOTE&select=id&limit=0&plan=like.*', exact, 1],
    ['sessions?id=eq.NOTE&select=id&limit=0&plan=like.*', {}, 1],
    ['sessions?id=eq.NOTE&select=id&offset=7&plan=like.*', exact, 1],
    ['sessions?id=eq.NOTE&select=id&plan=like.*', { headers: { range: '7-8', prefer: 'count=exact' } }, 1],
    ['sessions?id=eq.NOTE&plan=eq.x', { method: 'HEAD', ...exact }, 1],
    ['sessions?id=eq.NOTE&plan=eq.x', { headers: { 'if-none-match': '"1"' } }, 1],
    ['sessions?id=eq.NOTE&limit=0', {}, 1],
    ['sessions?select=id&limit=0', exact, 2],
    ['sessions?select=id&or=(plan.eq.x,objective.eq.y)', {}, 2],
    ['sessions?select=id&not.or=(plan.eq.rest,and(id.eq.OTHER,plan.eq.walk))', {}, 2],
    ['sessions?select=id&id=eq.NOTE&not.and=(plan.eq.rest,client_id.not.is.null)', {}, 1],
    ['sessions?select=count()&plan=eq.x', {}, 2],
    ['sessions?select=plan.max()&limit=0', {}, 2],
    ['sessions?select=plan::int&id=eq.NOTE', {}, 1],
    ['sessions?select=plan::int&limit=1', {}, 2],
    ['sessions?select=plan::int&id=eq.NOTE&limit=0', {}, 1],
    ['sessions?select=id,sessions_history!inner()&sessions_history.after->>plan=like.x*', {}, 2],
    ['sessions_history?select=id&id=eq.NOTE&after->>plan=like.x*', {}, 1],
    ['sessions_history?select=after->>plan::int&id=eq.NOTE', {}, 1],
    ['clients?select=name,sessions!inner()&sessions.plan=like.x*', {}, 2],
    ['clients?select=name,sessions(id)&sessions.plan=like.x*', {}, 2],
    ['clients?select=name,sessions(id)&sessions.order=plan&sessions.limit=1', {}, 2],
    ['clients?select=name,sessions(plan::int)', {}, 2],
    ['sessions?select=id&as_of=NOW&plan=eq.x', {}, 2],
  ])('%s %j is recorded with each of these notes', async (path, given, count) => {
    const { rows } = await send(about(path), given);
    const [row] = rows;
    expect(rows).toHaveLength(1);
    expect([row?.count, row?.record_ids?.length]).toEqual([count, count]);
    if (path.includes('NOTE')) expect(row?.record_ids).toEqual([notes[0]]);
  });

  it.each<[string, Call]>([
    ['sessions?select=id&id=eq.00000000-0000-4000-8000-000000000000&plan=eq.x', {}],
    ['sessions?select=id&client_id=eq.none&plan=eq.x', {}],
    ['sessions?select=id&plan=match.(', {}],
  ])('%s %j is recorded as a search, even if it concerns no note', async (path, given) => {
    const { rows } = await send(path, given);
    expect(rows).toHaveLength(1);
    if (!path.includes('match')) expect(rows).toMatchObject([{ count: 0, record_ids: null }]);
  });

  it('is refused if it is a write', async () => {
    const strict = prefer('tx=rollback,handling=strict,min-affected=1,return=representation');
    const body = { objective: 'x' };
    for (const path of [
      'sessions?id=eq.NOTE&plan=like.r*',
      'sessions?and=(id.eq.NOTE,not.or(plan.eq.x,plan.eq.y))',
      'sessions?id=eq.NOTE&select=plan::int',
      'sessions?id=eq.NOTE&select=id,sessions_history!inner()&sessions_history.after->>plan=eq.x',
    ])
      for (const given of [
        { method: 'PATCH', body },
        ...(path.includes('plan=') || path.includes('or(') ? [{ method: 'DELETE' }] : []),
      ]) {
        const { answer } = await send(about(path), { ...given, ...strict });
        expect([path, answer.status, answer.json]).toEqual([
          path,
          403,
          expect.objectContaining({ code: '42501', message: expect.stringMatching(/"(plan|after)"/) }),
        ]);
      }
  });

  it.each<[string, Call]>([
    ['sessions?id=eq.NOTE', { method: 'PATCH', body: { plan: 'rest' }, ...prefer('tx=rollback') }],
    ['sessions?id=eq.NOTE', { method: 'PATCH', body: { plan: 'x' }, headers: { 'if-match': '"99"' } }],
    ['sessions?id=eq.NOTE', { method: 'PATCH', body: { plan: 'rest', updated_at: '2001-01-01T00:00:00Z' } }],
    ['sessions?id=eq.NOTE', { method: 'DELETE', ...prefer('tx=rollback,handling=strict,max-affected=0') }],
    ['sessions?id=eq.NOTE', { method: 'PATCH', body: { plan: 'x', client_id: null } }],
  ])('is recorded if it learns from the outcome of a write: %s %j', async (path, given) => {
    const { rows } = await send(about(path), given);
    expect(rows).toMatchObject([{ method: given.method, count: 1, record_ids: [notes[0]] }]);
  });

  it('is recorded if it is an upsert', async () => {
    const body = { id: notes[0], client_id: client.id, plan: 'rest', updated_at: '2001-01-01T00:00:00Z' };
    for (const sent of [body, { ...body, updated_at: undefined }]) {
      const merge = prefer('resolution=merge-duplicates,tx=rollback');
      const { rows } = await send('sessions', { method: 'POST', body: sent, ...merge });
      expect(rows).toMatchObject([{ method: 'POST', record_ids: [notes[0]] }]);
    }
  });

  it('is recorded if it is an undo that is refused', async () => {
    const note = await make(practice, 'sessions', { client_id: client.id, plan: 'hum' });
    const changed = await practice.rest(`sessions?id=eq.${note.id}`, {
      method: 'PATCH',
      body: { plan: 'croon' },
    });
    const undo = { method: 'POST', body: { change_id: changed.headers.get('change-id') } };
    const { answer, rows } = await send('rpc/undo?before->>plan=like.c*&offset=9', { ...undo, ...exact });
    expect(answer.status).toBe(416);
    expect(rows).toMatchObject([{ method: 'POST', record_ids: [note.id] }]);
    await practice.rest(`sessions?id=eq.${note.id}`, { method: 'PATCH', body: { plan: 'yodel' } });
    const conflict = await send('rpc/undo', undo);
    // It is refused before its records are known, so it may have concerned any confidential records.
    expect(conflict.answer.status).toBe(409);
    expect(conflict.rows.map(({ resource, count }) => [resource, count])).toContainEqual(['sessions', 0]);
    await practice.rest(`sessions?id=eq.${note.id}`, { method: 'DELETE' });
  });

  it('is recorded again when it is repeated, with the notes of the first request', async () => {
    const headers = { 'idempotency-key': randomUUID(), prefer: 'return=representation' };
    const write = { method: 'PATCH', body: { assessment: 'calm' }, headers };
    const path = about('sessions?id=eq.NOTE&select=assessment');
    for (let time = 0; time < 2; time += 1) {
      const { answer, rows } = await send(path, write);
      expect(answer.json).toEqual([{ assessment: 'calm' }]);
      expect(answer.headers.get('accessed-records')).toBeNull();
      expect(rows).toMatchObject([{ method: 'PATCH', record_ids: [notes[0]] }]);
    }
  });
});

describe('an undo', () => {
  it('is recorded with the notes that it shows, even when it is repeated', async () => {
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

describe('a batch', () => {
  const call = (plan: string, headers: Record<string, string>): Call => ({
    ...{ method: 'POST', headers },
    body: {
      operations: notes.map((id) => ({
        ...{ method: 'PATCH', path: `sessions?id=eq.${id}`, body: { plan } },
        prefer: 'return=representation',
      })),
    },
  });
  const rowOfEach = () =>
    notes.map((id) => expect.objectContaining({ resource: 'sessions', method: 'PATCH', record_ids: [id] }));

  it('is recorded with the notes of each operation, and all of them when it is repeated', async () => {
    const given = call('hike', { 'idempotency-key': randomUUID() });
    const first = await rowsOf('rpc/batch', given);
    expect(first).toHaveLength(2);
    expect(first).toEqual(expect.arrayContaining(rowOfEach()));
    expect(await rowsOf('rpc/batch', given)).toMatchObject([
      { resource: 'sessions', method: 'PATCH', record_ids: notes, count: 2 },
    ]);
  });

  it('of inserts that was refused records nothing when it is repeated either', async () => {
    const operations = [{ method: 'POST', path: 'sessions', body: { plan: 'rest' } }];
    const given = { method: 'POST', headers: { 'idempotency-key': randomUUID() }, body: { operations } };
    for (let time = 1; time <= 2; time += 1) {
      const { answer, rows } = await send('rpc/batch', given);
      expect([answer.status, rows]).toEqual([400, []]);
    }
  });

  it('is recorded with the notes of each operation if it is a dry run', async () => {
    const rows = await rowsOf('rpc/batch', call('swim', { prefer: 'tx=rollback' }));
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(expect.arrayContaining(rowOfEach()));
  });
});

describe('the access log', () => {
  it('is read-only', async () => {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      const body = method === 'DELETE' ? {} : { body: { count: 0 } };
      const answer = await practice.rest('access_log?count=gt.0', { method, ...body });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([
        method,
        405,
        'OPTIONS,GET,HEAD,QUERY',
      ]);
    }
  });

  it('cannot be changed by the role that serves requests', async () => {
    await withClient(stack().databaseUrl('clinical_notes'), async (requests) => {
      for (const sql of [
        'UPDATE clinical_notes.access_log SET count = 0',
        'DELETE FROM clinical_notes.access_log',
        'TRUNCATE clinical_notes.access_log',
      ])
        await expect(requests.query(sql)).rejects.toThrow('permission denied');
    });
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

  it('leaves records unchanged if it is a write, which succeeds when it is repeated', async () => {
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
