// Psychotherapy notes: only their author can read them, by any kind of request.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, find, make, memberOf, newPractice, patch, remove } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';
import { rpc } from '../sessions/testing/notes.js';

let owner: Practice;
let author: Practice;
let client: Made;
let note: Made;

beforeAll(async () => {
  owner = await newPractice();
  ({ member: author } = await memberOf(owner, 'therapist'));
  client = await make(owner, 'clients', { name: 'Ada' });
  note = await make(author, 'private_notes', { client_id: client.id, text: 'a dream' });
  await patch(author, 'private_notes', { id: note.id, text: 'two dreams' });
});

const rows = async (of: Practice, path: string): Promise<unknown[]> => {
  const answer = await of.rest(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json as unknown[];
};

describe('a private note', () => {
  it.each([
    'private_notes',
    'private_notes?select=text',
    'private_notes?select=count()',
    'private_notes_history',
    'private_notes_history?select=before,after',
    'clients?select=id,private_notes!inner(text)',
    'clients?select=id,private_notes()&private_notes=not.is.null',
    'private_notes?as_of=NOW',
    'private_notes?select=client_id,private_notes_history(event)',
  ])('can be read only by its author: %s', async (path) => {
    const at = path.replace('NOW', new Date(Date.now() - 1).toISOString());
    const isCount = path.includes('count()');
    expect(await rows(author, at)).not.toEqual(isCount ? [{ count: 0 }] : []);
    expect(await rows(owner, at)).toEqual(isCount ? [{ count: 0 }] : []);
    // The prepared plan of one caller's request is not used for the other caller.
    expect(await rows(author, at)).not.toEqual(isCount ? [{ count: 0 }] : []);
  });

  it('cannot be read with break-glass access', async () => {
    const { member } = await memberOf(owner, 'therapist');
    expect((await rpc(member, 'break_glass', { reason: 'a crisis' })).status).toBe(200);
    expect(await rows(member, 'private_notes')).toEqual([]);
    expect(await rows(member, 'private_notes_history')).toEqual([]);
  });

  it('cannot be written by others, by any kind of request', async () => {
    const before = await find(author, 'private_notes', note.id);
    const body = { text: 'forged' };
    const byClient = `private_notes?client_id=eq.${client.id}`;
    const byId = `private_notes?id=eq.${note.id}`;
    const returned = { prefer: 'return=representation' };
    for (const path of [byId, byClient]) {
      expect((await owner.rest(path, { method: 'PATCH', body, headers: returned })).json).toEqual([]);
      expect((await owner.rest(path, { method: 'DELETE', headers: returned })).json).toEqual([]);
    }
    const upsert = { method: 'POST', headers: { prefer: 'resolution=merge-duplicates' } };
    const row = { id: note.id, client_id: client.id, ...body };
    for (const call of [
      { ...upsert, body: row },
      { method: 'PUT', body: row },
    ])
      expect(await owner.rest(call.method === 'PUT' ? byId : 'private_notes', call)).toMatchObject({
        status: 403,
        json: { code: '42501' },
      });
    // Neither a row that changes nothing, nor a guess of a value, nor an old time shows a value.
    const headers = { prefer: 'resolution=merge-duplicates, return=representation' };
    const { text, updated_at, ...others } = before as Made;
    for (const [method, path, sent] of [
      ['POST', 'private_notes', { id: note.id }],
      ['POST', 'private_notes', { id: note.id, text }],
      ['POST', 'private_notes', { id: note.id, updated_at: '2020-01-01T00:00:00Z', text: 'q' }],
      ['POST', 'private_notes', { id: note.id, created_at: '2020-01-01T00:00:00Z' }],
      ['PUT', byId, { ...others, text, updated_at }],
    ] as const) {
      const answer = await owner.rest(path, { method, headers, body: sent });
      expect([sent, answer.status, answer.headers.get('etag')]).toEqual([sent, 403, null]);
      expect(answer.text).not.toContain('two dreams');
    }
    const foreign = { ...row, id: undefined, author_id: note['author_id'] };
    expect((await owner.rest('private_notes', { method: 'POST', body: foreign })).status).toBe(403);
    expect(await find(author, 'private_notes', note.id)).toEqual(before);
  });

  it('cannot be undone by others, neither as one change nor together with all changes of its author', async () => {
    const [{ change_id }] = (await rows(author, 'private_notes_history?order=version.desc')) as [Made];
    expect(await rpc(owner, 'undo', { change_id })).toMatchObject({ status: 400, json: { code: '0A000' } });
    const public_ = await make(author, 'sessions', { client_id: client.id, plan: 'rest' });
    const undo = await rpc(owner, 'undo', { actor_id: note['author_id'], since: '2020-01-01T00:00:00Z' });
    expect(undo).toMatchObject({ status: 200 });
    expect(undo.text).not.toContain('private_notes');
    expect(await find(owner, 'sessions', public_.id)).toBeUndefined();
    expect(await find(author, 'private_notes', note.id)).toMatchObject({ text: 'two dreams' });
  });

  it('is recorded in the access log when its author reads it', async () => {
    const log = await rows(owner, 'access_log?resource=eq.private_notes&select=actor_id&limit=1');
    expect(log).toEqual([{ actor_id: note['author_id'] }]);
  });

  it('can be deleted by its author, and is erased with the client', async () => {
    const gone = await make(author, 'private_notes', { client_id: client.id, text: 'gone' });
    expect((await remove(author, 'private_notes', gone.id)).status).toBe(204);
    expect((await rpc(owner, 'erase_client', { client_id: client.id })).status).toBe(202);
    await eventually('the note is erased', async () => {
      const found = await find(author, 'private_notes', note.id);
      return found?.['text'] === null;
    });
    const history = await rows(author, `private_notes_history?id=eq.${note.id}&select=after->text,erased`);
    expect(history).toEqual([
      { text: null, erased: true },
      { text: null, erased: true },
    ]);
  });
});
