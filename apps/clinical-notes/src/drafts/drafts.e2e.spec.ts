import { beforeAll, describe, expect, it } from '@jest/globals';
import { readSettings } from '@practice/settings';
import { adminDatabase, eventually, find, memberOf, newPractice, patch } from '@practice/testing';
import type { Practice } from '@practice/testing';
import fc from 'fast-check';
import { rpc, sign, signedNote, writeNote } from '../sessions/testing/notes.js';
import { draftsOf, saved, saveDraft } from './testing/drafts.js';

const admin = adminDatabase();
let practice: Practice;

beforeAll(async () => {
  practice = await newPractice();
});

const events = async (id: string): Promise<number> => {
  const { json } = await practice.rest(`sessions_history?id=eq.${id}`);
  return (json as unknown[]).length;
};

describe('a draft of a note', () => {
  it('can be saved repeatedly without an event, and is sealed', async () => {
    const note = await writeNote(practice);
    let version: string | null = null;
    for (const plan of ['walk', 'walk more', 'walk much more'])
      ({ version } = await saved(practice, { session_id: note.id, version, plan }));
    expect(await draftsOf(practice, note.id)).toMatchObject([
      { plan: 'walk much more', version, note_version: 1, client_id: note['client_id'] },
    ]);
    expect(await events(note.id)).toBe(1);
    const { rows } = await admin.query<{ text: string }>(
      'SELECT to_json(d)::text AS text FROM clinical_notes.session_drafts AS d WHERE session_id = $1',
      [note.id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain('walk');
  });

  it('is not saved in a practice that has used its storage; drafts can still be read', async () => {
    const full = await newPractice();
    const note = await writeNote(full);
    const { version } = await saved(full, { session_id: note.id, plan: 'walk' });
    await admin.query('UPDATE clinical_notes.practice_head SET bytes = $2 WHERE therapist_id = $1', [
      full.therapistId,
      readSettings({}).STORAGE_QUOTA_MB * 1_000_000,
    ]);
    expect(await saveDraft(full, { session_id: note.id, version, plan: 'run' })).toMatchObject({
      ...{ status: 507, json: { code: 'PM507' } },
    });
    expect(await draftsOf(full, note.id)).toMatchObject([{ plan: 'walk', version }]);
  });

  it('from a second device is 412 with both versions, and the stored text is kept', async () => {
    const note = await writeNote(practice);
    const first = await saved(practice, { session_id: note.id, plan: 'walk' });
    const second = await saved(practice, { session_id: note.id, version: first.version, plan: 'run' });
    const late = await saveDraft(practice, { session_id: note.id, version: first.version, plan: 'swim' });
    expect(late).toMatchObject({ status: 412, json: { code: 'PM006' } });
    const { details } = late.json as { details: string };
    expect(details).toContain(first.version);
    expect(details).toContain(second.version);
    expect(await saveDraft(practice, { session_id: note.id, plan: 'swim' })).toMatchObject({ status: 412 });
    expect(await draftsOf(practice, note.id)).toMatchObject([{ plan: 'run' }]);
  });

  it('disappears once the note is saved with its text, and stays while the note lacks part of the text', async () => {
    const note = await writeNote(practice);
    await saved(practice, { session_id: note.id, subjective: 'sleeps badly', plan: 'walk' });
    await patch(practice, 'sessions', { id: note.id, plan: 'run' });
    expect(await draftsOf(practice, note.id)).toMatchObject([{ plan: 'walk', note_version: 1 }]);
    await patch(practice, 'sessions', { id: note.id, plan: 'run and walk' });
    expect(await draftsOf(practice, note.id)).toEqual([]);
  });

  it('whose text is in its note does not count: a device that finds no draft begins a new one', async () => {
    const note = await writeNote(practice);
    const { version } = await saved(practice, { session_id: note.id, plan: 'walk' });
    await patch(practice, 'sessions', { id: note.id, plan: 'walk' });
    const next = await saved(practice, { session_id: note.id, plan: 'run' });
    expect(await draftsOf(practice, note.id)).toMatchObject([{ plan: 'run', version: next.version }]);
    // The first device has not seen this draft.
    expect(await saveDraft(practice, { session_id: note.id, version, plan: 'swim' })).toMatchObject({
      ...{ status: 412, json: { code: 'PM006' } },
    });
  });

  it('is visible only to its author', async () => {
    const { member } = await memberOf(practice, 'therapist');
    const note = await writeNote(practice);
    await saved(practice, { session_id: note.id, plan: 'walk' });
    await saved(member, { session_id: note.id, plan: 'swim' });
    expect(await draftsOf(practice, note.id)).toMatchObject([{ plan: 'walk' }]);
    expect(await draftsOf(member, note.id)).toMatchObject([{ plan: 'swim' }]);
    const { member: desk } = await memberOf(practice, 'front_desk');
    expect((await saveDraft(desk, { session_id: note.id, plan: 'x' })).status).toBe(403);
    expect((await desk.rest('rpc/session_drafts')).status).toBe(403);
    const other = await newPractice();
    expect(await saveDraft(other, { session_id: note.id, plan: 'x' })).toMatchObject({ status: 404 });
    const reads = await practice.rest(
      'access_log?resource=eq.sessions&record_ids=not.is.null&order=at.desc&limit=20',
    );
    expect(reads.text).toContain(note.id);
  });

  it('prevents a signature of the note without its text, and is deleted by the signature', async () => {
    const note = await writeNote(practice);
    const { version } = await saved(practice, {
      session_id: note.id,
      subjective: 'sleeps badly',
      plan: 'walk',
    });
    const body = { session_id: note.id, meaning: 'authorship' };
    expect(await rpc(practice, 'sign_note', body)).toMatchObject({ status: 412, json: { code: 'PM006' } });
    await patch(practice, 'sessions', { id: note.id, plan: 'walk' });
    await sign(practice, note);
    const { rowCount } = await admin.query(
      'SELECT FROM clinical_notes.session_drafts WHERE session_id = $1',
      [note.id],
    );
    expect(rowCount).toBe(0);
    const late = await saveDraft(practice, { session_id: note.id, version, plan: 'late' });
    expect(late).toMatchObject({ status: 409, json: { code: 'PM020' } });
  });

  it('can be discarded with its version', async () => {
    const note = await writeNote(practice);
    const { version } = await saved(practice, { session_id: note.id, plan: 'walk' });
    const discard = (given: object) => rpc(practice, 'discard_draft', { session_id: note.id, ...given });
    expect(await discard({})).toMatchObject({ status: 412 });
    expect((await discard({ version })).status).toBe(204);
    expect(await draftsOf(practice, note.id)).toEqual([]);
    // The version of a deleted draft is no longer accepted.
    expect(await saveDraft(practice, { session_id: note.id, version, plan: 'x' })).toMatchObject({
      status: 412,
    });
  });

  it('is unreadable after an erasure of the client, and no draft can be saved any more', async () => {
    const note = await writeNote(practice);
    const { version } = await saved(practice, { session_id: note.id, plan: 'walk' });
    expect((await rpc(practice, 'erase_client', { client_id: note['client_id'] })).status).toBe(202);
    await eventually(
      'the note is erased',
      async () => (await find(practice, 'sessions', note.id))?.['plan'] === null,
    );
    expect(await draftsOf(practice, note.id)).toEqual([]);
    const later = await saveDraft(practice, { session_id: note.id, version, plan: 'walk' });
    expect(later).toMatchObject({ status: 409, json: { code: 'PM016' } });
  });

  it('of a signed note is refused', async () => {
    const note = await signedNote(practice);
    expect(await saveDraft(practice, { session_id: note.id, plan: 'x' })).toMatchObject({ status: 409 });
  });
});

describe('any interleaving of draft saves, saves and signatures on two devices', () => {
  const step = fc.record({
    device: fc.nat(1),
    kind: fc.constantFrom('type', 'type', 'type', 'save', 'reload', 'sign'),
    together: fc.boolean(),
  });

  /** A device: the text in its editor, and the versions that it has seen. */
  class Device {
    text = '';
    private draft: string | null = null;

    constructor(
      private readonly id: string,
      private readonly name: string,
    ) {}

    /** Types a word and saves the draft. @returns the word if it was acknowledged */
    async type(word: string): Promise<string | undefined> {
      const text = `${this.text} ${this.name}${word}`;
      this.text = text;
      const answer = await saveDraft(practice, { session_id: this.id, version: this.draft, plan: text });
      if (answer.status !== 200) return undefined;
      this.draft = (answer.json as { version: string }).version;
      return text;
    }

    async save(): Promise<string | undefined> {
      const note = await practice.rest(`sessions?id=eq.${this.id}&select=plan`);
      // Like an editor, appends its text to the current text of the note.
      const [{ plan }] = note.json as [{ plan: string | null }];
      const headers = { 'if-match': note.headers.get('etag') ?? '*' };
      const merged = this.text.includes(plan ?? '') ? this.text : `${plan}${this.text}`;
      const body = { plan: merged };
      const answer = await practice.rest(`sessions?id=eq.${this.id}`, { method: 'PATCH', headers, body });
      return answer.status === 204 ? merged : undefined;
    }

    async reload(): Promise<undefined> {
      const [found] = await draftsOf(practice, this.id);
      const { plan = '' } = found ?? {};
      this.text = this.text.includes(plan ?? '') ? this.text : `${plan}${this.text}`;
      this.draft = found?.version ?? null;
      return undefined;
    }

    async sign(): Promise<undefined> {
      await rpc(practice, 'sign_note', { session_id: this.id, meaning: 'authorship' });
      return undefined;
    }
  }

  it('loses no acknowledged text: it is in the note, in its history or in the draft', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
        const { id } = await writeNote(practice, { plan: null });
        const devices = [new Device(id, 'a'), new Device(id, 'b')] as const;
        const acknowledged: string[] = [];
        let running: Promise<void>[] = [];
        for (const [index, { device, kind, together }] of steps.entries()) {
          const on = devices[device] as Device;
          const done = (kind === 'type' ? on.type(String(index)) : on[kind]()).then((text) => {
            if (text !== undefined) acknowledged.push(text);
          });
          running.push(done);
          if (!together) {
            await Promise.all(running);
            running = [];
          }
        }
        await Promise.all(running);
        const history = await practice.rest(`sessions_history?id=eq.${id}&select=after`);
        const drafts = await draftsOf(practice, id);
        const kept = [
          ...(history.json as { after: { plan?: string | null } }[]).map(({ after }) => after.plan ?? ''),
          ...drafts.map(({ plan }) => plan ?? ''),
        ];
        for (const text of acknowledged)
          expect([kept, kept.some((one) => one.includes(text))]).toEqual([kept, true]);
      }),
      { numRuns: 25 },
    );
  });
});
