// The archives of exports, with the real client.

import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { catalog } from '@practice/contracts';
import type { Resource } from '@practice/resource';
import { adminDatabase, auth, call, eventually } from '@practice/testing';
import { begin, ended, rowsIn, unpacked, type Begun } from './archives.js';
import { password, signedIn } from './mfa-accounts.js';
import { joined, signUp, tokenOf, type Person } from './people.js';

const admin = adminDatabase();

/** Creates more rows than the first pages contain, with texts that each format must quote. */
async function fill({ supabase }: Person): Promise<void> {
  const texts = ['=1+1', 'a "b", \\c', 'two\nlines', 'Zoë 🙂', "'; drop table", '],{"'];
  const clients = Array.from({ length: 120 }, (_, index) => ({ name: `${texts[index % 6]} ${index}` }));
  const { data } = await supabase.from('clients').insert(clients).select('id');
  const [first, second] = data as [{ id: string }, { id: string }];
  const client_id = first.id;
  const when = { date: '2030-01-07', start_time: '09:00', end_time: '09:50' };
  const written = [
    await supabase.from('appointments').insert({ client_id, ...when, notes: texts.join(' ') }),
    await supabase.from('appointment_series').insert({
      rrule: 'FREQ=WEEKLY;COUNT=3',
      ...when,
      date: '2030-01-14',
      client_id,
      notes: texts.join(' '),
    }),
    await supabase.from('sessions').insert({ client_id, subjective: texts.join(' ') }),
    await supabase.from('expenses').insert({ date: '2030-01-01', category: 'rent', amount: 1100.5 }),
    await supabase.from('clients').update({ name: 'Ada' }).eq('id', client_id),
    await supabase.from('clients').delete().eq('id', second.id),
  ];
  expect(written.map(({ error }) => error)).toEqual(written.map(() => null));
}

const keyOf = ({ historyOf }: Resource): string => (historyOf === undefined ? 'id' : 'position');

/** All rows, as JSON and as CSV, in the order of the archive. */
async function rowsOf({ supabase }: Person, resource: Resource) {
  const read = () => supabase.from(resource.name).select().order(keyOf(resource));
  const [{ data }, { data: csv }] = [await read(), await read().csv()];
  return { rows: data as Record<string, unknown>[], csv: String(csv) };
}

/** The resources that the export itself adds rows to while it is made. */
const growing = ['exports', 'exports_history', 'security_events', 'security_events_history', 'access_log'];

const idOf = ({ id, version = 0 }: Record<string, unknown>): string => `${String(id)} ${String(version)}`;

describe('an export', () => {
  let owner: Person;
  let link: string;
  let id: string;
  let files: Map<string, string>;

  beforeAll(async () => {
    owner = await signUp();
    await fill(owner);
    ({ id, link } = await begin(owner));
    const { status, progress, size, expires_at: until } = await ended(owner, id);
    expect({ status, progress }).toEqual({ status: 'done', progress: 100 });
    expect(Date.parse(until ?? '') - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    const response = await fetch(link);
    expect(response.status).toBe(200);
    const archive = Buffer.from(await response.arrayBuffer());
    expect(archive).toHaveLength(size ?? 0);
    files = await unpacked(archive);
  });

  it('has every row of each resource and each history, as NDJSON and as CSV', async () => {
    const resources = [...catalog.readable.values()].filter(({ name }) => !name.startsWith('private_notes'));
    for (const resource of resources.filter(({ name }) => !growing.includes(name))) {
      const { rows, csv } = await rowsOf(owner, resource);
      expect([resource.name, rowsIn(files.get(`${resource.name}.ndjson`))]).toEqual([resource.name, rows]);
      const text = rows.length === 0 ? '' : `${csv}\n`;
      expect([resource.name, files.get(`${resource.name}.csv`)]).toEqual([resource.name, text]);
    }
    expect(rowsIn(files.get('clients.ndjson'))).toHaveLength(119);
    expect(rowsIn(files.get('clients_history.ndjson'))).toHaveLength(122);
    expect(rowsIn(files.get('appointment_series.ndjson'))).toHaveLength(1);
    expect(rowsIn(files.get('appointments.ndjson'))).toHaveLength(4);
    const names = resources.flatMap(({ name }) => [`${name}.ndjson`, `${name}.csv`]);
    expect([...files.keys()].sort()).toEqual([...names, 'manifest.json'].sort());
  });

  it('contains only stored rows of the resources to which it adds rows itself', async () => {
    for (const name of growing) {
      const { rows } = await rowsOf(owner, catalog.readable.get(name) as Resource);
      const archived = rowsIn(files.get(`${name}.ndjson`));
      expect([name, archived.length]).not.toEqual([name, 0]);
      expect(rows.map(idOf)).toEqual(expect.arrayContaining(archived.map(idOf)));
    }
  });

  it('has a manifest with the hash of each file', () => {
    const {
      export_id,
      therapist_id,
      files: listed,
    } = JSON.parse(files.get('manifest.json') ?? '') as {
      export_id: string;
      therapist_id: string;
      files: { name: string; sha256: string }[];
    };
    expect({ export_id, therapist_id }).toEqual({ export_id: id, therapist_id: owner.id });
    expect(listed).toHaveLength(files.size - 1);
    for (const { name, sha256 } of listed)
      expect([name, sha256]).toEqual([
        name,
        createHash('sha256')
          .update(files.get(name) ?? '')
          .digest('hex'),
      ]);
  });

  it('is recorded: the request, each download, and the reads of confidential records', async () => {
    const { data: events } = await owner.supabase.from('security_events').select('kind').order('id');
    const kinds = (events as { kind: string }[]).map(({ kind }) => kind);
    expect(kinds.slice(-2)).toEqual(['practice_exported', 'export_downloaded']);
    const { data: reads } = await owner.supabase.from('access_log').select('resource,count').order('id');
    const one = { count: 1 };
    expect((reads as object[]).slice(0, 2)).toEqual([
      { resource: 'sessions', ...one },
      { resource: 'sessions', ...one },
    ]);
    expect(reads).toEqual(expect.arrayContaining([{ resource: 'sessions_history', ...one }]));
  });

  it('is described by HEAD, which does not count as a download', async () => {
    const { status, headers } = await fetch(link, { method: 'HEAD' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/zip');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="practice-export-[\d-]{10}\.zip"$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    const { count } = await owner.supabase
      .from('security_events')
      .select('*', { count: 'exact', head: true })
      .eq('kind', 'export_downloaded');
    expect(count).toBe(1);
  });

  it('leaves its secret nowhere in the database', async () => {
    const secret = new URL(link).searchParams.get('token') ?? '';
    expect(secret).toHaveLength(43);
    const { rows } = await admin.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM identity.exports AS e WHERE position($1 in e::text) > 0)
         OR EXISTS (SELECT FROM identity.events AS e WHERE therapist_id = $2 AND position($1 in e::text) > 0)
         OR EXISTS (SELECT FROM identity.archives AS e WHERE position($1 in e::text) > 0) AS found`,
      [secret, owner.id],
    );
    expect(rows).toEqual([{ found: false }]);
  });

  it('is opened only by its own link', async () => {
    const other = await begin(await signUp());
    const mixed = new URL(link);
    mixed.searchParams.set('token', new URL(other.link).searchParams.get('token') ?? '');
    const wrong = link.replace(/token=.{5}/, 'token=AAAAA');
    for (const given of [mixed.href, wrong, link.split('?')[0] ?? '']) {
      const response = await fetch(given);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'PM404' });
    }
  });

  it('expires: the link is refused, and the archive is deleted', async () => {
    const ending = `UPDATE identity.archives SET expires_at = now() WHERE export_id = $1`;
    await admin.query(ending, [id]);
    expect((await fetch(link)).status).toBe(404);
    await eventually('the archive is deleted', async () => {
      const text = 'SELECT FROM identity.archive_parts WHERE export_id = $1';
      return (await admin.query(text, [id])).rowCount === 0;
    });
    expect(await ended(owner, id)).toMatchObject({ status: 'done', problem: null });
  });
});

describe('a link', () => {
  it('ends with a later export, and with a new password', async () => {
    const owner = await signUp();
    const first = await begin(owner);
    expect(await ended(owner, first.id)).toMatchObject({ status: 'done' });
    const later = await begin(owner);
    expect(await ended(owner, later.id)).toMatchObject({ status: 'done' });
    expect((await fetch(first.link)).status).toBe(404);
    expect((await fetch(later.link, { method: 'HEAD' })).status).toBe(200);
    const { error } = await owner.supabase.auth.updateUser({ password: `${password} again` });
    expect(error).toBeNull();
    expect((await fetch(later.link)).status).toBe(404);
  });

  it('ends when its owner gets another role', async () => {
    const owner = await signUp();
    const second = await joined(owner, 'owner');
    const { id, link } = await begin(second);
    expect(await ended(owner, id)).toMatchObject({ status: 'done' });
    const become = (role: string) =>
      owner.supabase.from('memberships').update({ role }).eq('id', second.membershipId);
    expect((await become('therapist')).error).toBeNull();
    expect((await fetch(link)).status).toBe(404);
    expect((await become('owner')).error).toBeNull();
    expect((await fetch(link)).status).toBe(404);
  });

  it('ends with the sessions of its owner, but not with the sessions of another member', async () => {
    const owner = await signUp();
    const second = await joined(owner, 'owner');
    const { id, link } = await begin(second);
    expect(await ended(owner, id)).toMatchObject({ status: 'done' });
    const end = (userId: string) => owner.supabase.rpc('end_member_sessions', { user_id: userId });
    expect((await end((await joined(owner, 'therapist')).id)).error).toBeNull();
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
    expect((await end(second.id)).error).toBeNull();
    expect((await fetch(link)).status).toBe(404);
  });

  /** Signs out while an export waits for its table. Returns undefined if the export was not begun in its time. */
  async function signedOutDuringExport() {
    const owner = await signUp();
    const token = await tokenOf(owner);
    await admin.query('BEGIN; LOCK TABLE identity.exports IN SHARE MODE');
    const rows = async (found: string): Promise<number> =>
      (await admin.query(`SELECT FROM ${found}`)).rowCount ?? 0;
    let isOver = false;
    const headers = { authorization: `Bearer ${token}` };
    const begun = call('/rest/v1/rpc/export_practice', { method: 'POST', body: {}, headers }).finally(
      () => (isOver = true),
    );
    const exporting = 'pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';
    await eventually('the export waits for the table', async () => isOver || (await rows(exporting)));
    const signedOut = auth('POST', 'logout?scope=global', { token });
    const waiting = `pg_locks WHERE NOT granted AND pg_blocking_pids(pid) && ARRAY(SELECT pid FROM ${exporting})`;
    const ends = `identity.sessions WHERE user_id = '${owner.id}' AND ended_at IS NOT NULL`;
    await eventually(
      'the sign-out waits for the export, or has ended the session',
      async () => isOver || (await rows(waiting)) + (await rows(ends)),
    );
    await admin.query('COMMIT');
    expect((await signedOut).status).toBe(204);
    const { status, json } = await begun;
    if (status === 503 || status === 504) return undefined;
    expect(status).toBe(200);
    return { owner, ...(json as Begun) };
  }

  it('ends with a sign-out that begins before the export is committed', async () => {
    const { owner, id, link } = await eventually('an export is begun in its time', signedOutDuringExport);
    await ended({ supabase: await signedIn(owner.email) }, id);
    expect((await fetch(link)).status).toBe(404);
  });
});
