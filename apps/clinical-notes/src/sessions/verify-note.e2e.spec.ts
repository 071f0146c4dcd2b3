// A superuser of the database changes a signed note without the service: verify_note detects the change.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { adminDatabase, eventually, find, make, newPractice } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';
import { rpc, signedNote, writeNote } from './testing/notes.js';

const admin = adminDatabase();
let practice: Practice;

beforeAll(async () => {
  practice = await newPractice();
});

const verify = async (id: string): Promise<Made> =>
  (await practice.rest(`rpc/verify_note?session_id=${id}`)).json as Made;

const intact = {
  intact: true,
  text_intact: true,
  sealed_intact: true,
  record_intact: true,
  chain_intact: true,
  erased: false,
};

/** A signed note with an addendum. */
async function signedWithAddendum(): Promise<{ id: string; addendum: string }> {
  const { id } = await signedNote(practice, { format: 'free', sections: { mood: 'calm', aims: 'sleep' } });
  const { id: addendum } = await make(practice, 'session_addenda', { session_id: id, text: 'slept well' });
  return { id, addendum };
}

describe('verify_note', () => {
  it('confirms a note that has not changed since its signature, even after addenda and a void', async () => {
    const { id } = await signedWithAddendum();
    const { rows } = await admin.query<{ hash: string }>(
      'SELECT text_hash AS hash FROM clinical_notes.sessions WHERE id = $1',
      [id],
    );
    const expected = { id, ...intact, signed_by_name: practice.email, text_hash: rows[0]?.hash };
    expect(await verify(id)).toMatchObject(expected);
    await rpc(practice, 'void_note', { session_id: id, reason: 'wrong client' });
    expect(await verify(id)).toMatchObject(expected);
  });

  it('needs a signed note of the practice', async () => {
    const draft = await writeNote(practice);
    expect(await practice.rest(`rpc/verify_note?session_id=${draft.id}`)).toMatchObject({
      status: 409,
      json: { code: 'PM001' },
    });
    const other = await newPractice();
    const { id } = await signedNote(other);
    expect((await practice.rest(`rpc/verify_note?session_id=${id}`)).status).toBe(404);
  });

  it.each([
    ['a text', 'UPDATE clinical_notes.sessions SET plan = plan || $2 WHERE id = $1', 'record_intact'],
    [
      'a section',
      `UPDATE clinical_notes.sessions SET sections = sections || jsonb_build_object('mood', $2::text) WHERE id = $1`,
      'record_intact',
    ],
    [
      'the stored JSON',
      `UPDATE clinical_notes.sessions SET _json = replace(_json, 'rest', $2) WHERE id = $1`,
      'record_intact',
    ],
    [
      'the printed name',
      'UPDATE clinical_notes.sessions SET signed_by_name = $2 WHERE id = $1',
      'record_intact',
    ],
    ['the hash', 'UPDATE clinical_notes.sessions SET text_hash = $2 WHERE id = $1', 'record_intact'],
    [
      'an addendum',
      'UPDATE clinical_notes.session_addenda SET text = $2 WHERE session_id = $1',
      'record_intact',
    ],
    [
      'an addendum that is gone',
      'DELETE FROM clinical_notes.session_addenda WHERE session_id = $1 AND $2 <> text',
      'record_intact',
    ],
    [
      'the text that the log shows',
      `UPDATE clinical_notes.personal_values AS p SET data = p.data || jsonb_build_object('plan', $2::text)
       FROM clinical_notes.events AS e WHERE e.stream_id = $1 AND e.version = 1 AND (p.therapist_id, p.position) = (e.therapist_id, e.position)`,
      'text_intact',
    ],
    [
      'a sealed text',
      `UPDATE clinical_notes.events SET data = data || jsonb_build_object('$sealed', $2::text) WHERE stream_id = $1 AND version = 1`,
      'sealed_intact',
    ],
    [
      'the signature in the log',
      `UPDATE clinical_notes.events SET data = data || jsonb_build_object('signed_meaning', 'review', 'x', $2::text) WHERE stream_id = $1 AND type = 'SessionNoteSigned'`,
      'chain_intact',
    ],
    [
      'the time of the signature in the log',
      `UPDATE clinical_notes.events SET recorded_at = recorded_at - interval '1 day' WHERE stream_id = $1 AND type = 'SessionNoteSigned' AND $2 <> ''`,
      'chain_intact',
    ],
  ])('finds %s changed', async (_, sql, check) => {
    const { id } = await signedWithAddendum();
    expect(await verify(id)).toMatchObject(intact);
    const { rowCount } = await admin.query(sql, [id, 'forged']);
    expect(rowCount).toBe(1);
    expect(await verify(id)).toMatchObject({ intact: false, [check]: false });
  });

  it('confirms the sealed texts and the chain after an erasure', async () => {
    const fresh = await newPractice();
    const note = await signedNote(fresh);
    const erasure = await rpc(fresh, 'erase_client', { client_id: note['client_id'] });
    expect(erasure.status).toBe(202);
    await eventually(
      'the note is erased',
      async () => (await find(fresh, 'sessions', note.id))?.['plan'] === null,
    );
    const { json } = await fresh.rest(`rpc/verify_note?session_id=${note.id}`);
    expect(json).toMatchObject({ ...intact, text_intact: null, erased: true, text_hash: note['text_hash'] });
  });
});
