import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { find, make, memberOf, newPractice, patch } from '@practice/testing';
import type { Answer, Made, Practice } from '@practice/testing';
import { rpc, sign, signedNote, writeNote } from './testing/notes.js';

let practice: Practice;
let therapist: Practice;
let frontDesk: Practice;

beforeAll(async () => {
  practice = await newPractice();
  ({ member: therapist } = await memberOf(practice, 'therapist'));
  ({ member: frontDesk } = await memberOf(practice, 'front_desk'));
});

const latest = async (of: Practice, id: string): Promise<unknown> =>
  ((await of.rest(`sessions_history?id=eq.${id}&order=version.desc&limit=1`)).json as unknown[])[0];

describe('a new note', () => {
  it('is a draft of its author', async () => {
    const note = await writeNote(therapist, { format: 'dap', sections: { data: 'calm', plan: 'rest' } });
    expect(note).toMatchObject({ status: 'draft', author_id: userOf(therapist), signed_at: null });
  });

  it.each([
    [{ status: 'signed' }, 400, '428C9'],
    [{ text_hash: '0' }, 400, '428C9'],
    [{ signed_at: '2026-01-01T00:00:00Z' }, 400, '428C9'],
    [{ format: 'verse' }, 400, '23514'],
    [{ format: 'dap', sections: { mood: 'calm' } }, 400, '23514'],
    [{ format: 'free', sections: { mood: 7 } }, 400, '23514'],
    [{ needs_cosign_by: randomUUID() }, 409, '23503'],
    [{ template_id: randomUUID() }, 409, '23503'],
  ])('with %j is refused', async (more, status, code) => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const answer = await practice.rest('sessions', { method: 'POST', body: { client_id: id, ...more } });
    expect(answer).toMatchObject({ status, json: { code } });
  });

  it('names no member who could not co-sign it', async () => {
    const { id: client_id } = await make(practice, 'clients', { name: 'Ada' });
    const write = (by: Practice): Promise<Answer> =>
      therapist.rest('sessions', { method: 'POST', body: { client_id, needs_cosign_by: userOf(by) } });
    const message = expect.stringContaining('needs_cosign_by');
    expect(await write(frontDesk)).toMatchObject({ status: 409, json: { code: '23503', message } });
    expect(await write(therapist)).toMatchObject({ status: 400, json: { code: '23514', message } });
    const note = await writeNote(therapist, { needs_cosign_by: userOf(practice) });
    const body = { needs_cosign_by: userOf(therapist) };
    const changed = await therapist.rest(`sessions?id=eq.${note.id}`, { method: 'PATCH', body });
    expect(changed).toMatchObject({ status: 400, json: { code: '23514', message } });
  });

  it.each([{}, { mood: 1 }, { mood: ' ' }])('has no template with the sections %j', async (sections) => {
    const refused = { status: 400, json: { code: '23514' } };
    const body = { name: 'Intake', sections };
    expect(await therapist.rest('note_templates', { method: 'POST', body })).toMatchObject(refused);
    const { id } = await make(therapist, 'note_templates', { name: 'Intake', sections: { mood: 'Mood' } });
    const change = { method: 'PATCH', body: { sections } };
    expect(await therapist.rest(`note_templates?id=eq.${id}`, change)).toMatchObject(refused);
  });

  it('has the sections of its template', async () => {
    const template = await make(therapist, 'note_templates', { name: 'Intake', sections: { mood: 'Mood' } });
    const note = await writeNote(therapist, { template_id: template.id, sections: { mood: 'calm' } });
    const odd = await therapist.rest(`sessions?id=eq.${note.id}`, {
      method: 'PATCH',
      body: { sections: { plan: 'rest' } },
    });
    expect(odd).toMatchObject({ status: 400, json: { code: '23514' } });
    const embedded = await therapist.rest(`sessions?id=eq.${note.id}&select=sections,note_templates(name)`);
    expect(embedded.json).toEqual([{ sections: { mood: 'calm' }, note_templates: { name: 'Intake' } }]);
  });

  it('can be written in the name of another clinician, but only by owners', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const write = (by: Practice, author_id: string): Promise<Answer> =>
      by.rest('sessions', { method: 'POST', body: { client_id: id, author_id } });
    expect((await write(practice, userOf(therapist))).status).toBe(201);
    expect(await write(therapist, userOf(practice))).toMatchObject({ status: 403, json: { code: '42501' } });
    for (const other of [randomUUID(), userOf(frontDesk)])
      expect(await write(practice, other)).toMatchObject({ status: 409, json: { code: '23503' } });
  });
});

describe('sign_note', () => {
  it('records the printed name, the time, the meaning and the hashes', async () => {
    const note = await writeNote(practice);
    const signed = await sign(practice, note);
    const signature = {
      status: 'signed',
      author_id: practice.therapistId,
      signed_by_name: practice.email,
      signed_meaning: 'authorship',
      signed_at: expect.stringMatching(/^\d{4}-/),
      text_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      sealed_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(signed).toEqual({ id: note.id, ...signature });
    expect(await find(practice, 'sessions', note.id)).toMatchObject(signature);
    expect(await latest(practice, note.id)).toMatchObject({
      event: 'SessionNoteSigned',
      actor: 'user',
      after: { signed_meaning: 'authorship', text_hash: signed['text_hash'] },
    });
  });

  it('signs the version that the caller has seen', async () => {
    const note = await writeNote(practice);
    await patch(practice, 'sessions', { id: note.id, plan: 'walk' });
    const stale = { session_id: note.id, meaning: 'authorship', version: 1 };
    expect(await rpc(practice, 'sign_note', stale)).toMatchObject({ status: 412, json: { code: 'PM006' } });
    expect((await rpc(practice, 'sign_note', { ...stale, version: 2 })).status).toBe(200);
  });

  it('for authorship is only for the author, and for review for others', async () => {
    const note = await writeNote(practice);
    const signAs = (meaning: string): Promise<Answer> =>
      rpc(therapist, 'sign_note', { session_id: note.id, meaning });
    expect(await signAs('authorship')).toMatchObject({ status: 403, json: { code: '42501' } });
    expect(await signAs('witness')).toMatchObject({ status: 400, json: { code: '22023' } });
    expect(await signAs('review')).toMatchObject({ status: 200, json: { signed_by_name: therapist.email } });
    expect(await signAs('review')).toMatchObject({ status: 409, json: { code: 'PM020' } });
  });

  it('is refused to other roles, and for notes of other practices', async () => {
    const note = await writeNote(practice);
    const body = { session_id: note.id, meaning: 'authorship' };
    for (const role of ['front_desk', 'billing', 'read_only'] as const)
      expect(await rpc((await memberOf(practice, role)).member, 'sign_note', body)).toMatchObject({
        status: 403,
        json: { code: '42501' },
      });
    const other = await newPractice();
    expect(await rpc(other, 'sign_note', body)).toMatchObject({ status: 404, json: { code: 'PM404' } });
    expect((await find(practice, 'sessions', note.id))?.['status']).toBe('draft');
  });

  it('can race with a change: the signature covers the change, or the change is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const note = await writeNote(practice);
      const body = { session_id: note.id, meaning: 'authorship' };
      const change = { method: 'PATCH', body: { plan: `walk ${round}` } };
      const [signed, changed] = await Promise.all([
        rpc(practice, 'sign_note', body),
        practice.rest(`sessions?id=eq.${note.id}`, change),
      ]);
      expect(signed.status).toBe(200);
      expect([204, 409]).toContain(changed.status);
      const text = changed.status === 204 ? `walk ${round}` : 'rest';
      expect(await find(practice, 'sessions', note.id)).toMatchObject({ plan: text, status: 'signed' });
      const check = await practice.rest(`rpc/verify_note?session_id=${note.id}`);
      expect(check.json).toMatchObject({ intact: true });
    }
  });
});

describe('void_note', () => {
  it('marks a signed note as voided, and its text stays readable', async () => {
    const note = await signedNote(practice);
    const answer = await rpc(practice, 'void_note', { session_id: note.id, reason: 'wrong client' });
    expect(answer).toMatchObject({ status: 200, json: { status: 'voided', void_reason: 'wrong client' } });
    expect(await find(practice, 'sessions', note.id)).toMatchObject({ status: 'voided', plan: 'rest' });
    const again = await rpc(practice, 'void_note', { session_id: note.id, reason: 'again' });
    expect(again).toMatchObject({ status: 409, json: { code: 'PM001' } });
  });

  it('is only for the author and owners, and only for signed notes', async () => {
    const [own, draft] = [await signedNote(practice), await writeNote(practice)];
    const reason = 'wrong client';
    expect(await rpc(therapist, 'void_note', { session_id: own.id, reason })).toMatchObject({ status: 403 });
    expect(await rpc(practice, 'void_note', { session_id: draft.id, reason })).toMatchObject({ status: 409 });
    const theirs = await signedNote(therapist);
    expect((await rpc(practice, 'void_note', { session_id: theirs.id, reason })).status).toBe(200);
  });
});

describe('a repeated sign_note', () => {
  it('with the same Idempotency-Key is executed once, and its answer is not stored', async () => {
    const note = await writeNote(therapist);
    const call = {
      method: 'POST',
      body: { session_id: note.id, meaning: 'authorship' },
      headers: { 'idempotency-key': randomUUID() },
    };
    const [first, second] = [
      await therapist.rest('rpc/sign_note', call),
      await therapist.rest('rpc/sign_note', call),
    ];
    expect([first.status, second.status]).toEqual([200, 409]);
    expect(second.json).toMatchObject({ code: 'PM005' });
    expect(await latest(practice, note.id)).toMatchObject({ event: 'SessionNoteSigned', version: 2 });
  });
});

describe('cosign_note', () => {
  it('is only for the member that the note names, and only once', async () => {
    const note = await writeNote(therapist, { needs_cosign_by: userOf(practice) });
    const cosign = (by: Practice): Promise<Answer> => rpc(by, 'cosign_note', { session_id: note.id });
    expect(await cosign(practice)).toMatchObject({ status: 409, json: { code: 'PM001' } });
    await sign(therapist, note);
    expect(await cosign(therapist)).toMatchObject({ status: 403, json: { code: '42501' } });
    expect(await cosign(practice)).toMatchObject({ status: 200, json: { cosigned_by_name: practice.email } });
    expect(await cosign(practice)).toMatchObject({ status: 409, json: { code: 'PM001' } });
    expect(await latest(practice, note.id)).toMatchObject({ event: 'SessionNoteCosigned' });
  });
});

describe('an addendum', () => {
  it('is signed when it is written, and is shown with the note', async () => {
    const note = await signedNote(practice);
    const made = await make(therapist, 'session_addenda', { session_id: note.id, text: 'slept well' });
    expect(made).toMatchObject({
      client_id: note['client_id'],
      author_id: userOf(therapist),
      signed_by_name: therapist.email,
      text_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const shown = await practice.rest(
      `sessions?id=eq.${note.id}&select=plan,session_addenda(text,signed_by_name)`,
    );
    expect(shown.json).toEqual([
      { plan: 'rest', session_addenda: [{ text: 'slept well', signed_by_name: therapist.email }] },
    ]);
    const log = await practice.rest(`access_log?resource=eq.session_addenda&select=record_ids,count`);
    expect(log.json).toContainEqual({ record_ids: [made.id], count: 1 });
    const back = await practice.rest(`session_addenda?id=eq.${made.id}&select=text,sessions(status)`);
    expect(back.json).toEqual([{ text: 'slept well', sessions: { status: 'signed' } }]);
  });

  it('needs a signed note of the same client, and cannot be changed, deleted or undone', async () => {
    const [note, draft] = [await signedNote(practice), await writeNote(practice)];
    const write = (body: object): Promise<Answer> =>
      practice.rest('session_addenda', { method: 'POST', body });
    const text = 'slept well';
    expect(await write({ session_id: draft.id, text })).toMatchObject({
      status: 409,
      json: { code: 'PM001' },
    });
    expect(await write({ session_id: note.id, text, client_id: draft['client_id'] })).toMatchObject({
      status: 409,
      json: { code: '23503' },
    });
    expect(await write({ session_id: note.id, text, text_hash: 'a' })).toMatchObject({ status: 400 });
    const made = await write({ session_id: note.id, text });
    expect(made.status).toBe(201);
    for (const method of ['PATCH', 'PUT', 'DELETE'])
      expect(
        (await practice.rest(`session_addenda?session_id=eq.${note.id}`, { method, body: { text } })).status,
      ).toBe(405);
    const undo = await rpc(practice, 'undo', { change_id: made.headers.get('change-id') });
    expect(undo).toMatchObject({ status: 400, json: { code: '0A000' } });
  });
});

/** The user of a member's token. */
function userOf({ token }: Practice): string {
  const [, claims = ''] = token.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as Made & { sub: string }).sub;
}
