// Every kind of write to a signed note is refused with 409 PM020, and leaves no event.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { find, make, newPractice, patch, type Answer, type Made, type Practice } from '@practice/testing';
import { rpc, sign, writeNote } from './testing/notes.js';

/** The signed note under attack, the changes that made it, and a draft of the same client. */
interface Target {
  readonly practice: Practice;
  readonly note: Made;
  readonly draft: Made;
  /** The Change-Ids of its creation, of a change and of its signature. */
  readonly changes: readonly [string, string, string];
}

let target: Target;
let before: unknown;

const events = async ({ practice, note }: Target): Promise<unknown> => [
  (await practice.rest(`sessions_history?id=eq.${note.id}&order=version`)).json,
  await find(practice, 'sessions', note.id),
];

beforeAll(async () => {
  const practice = await newPractice();
  const { id } = await writeNote(practice);
  await patch(practice, 'sessions', { id, plan: 'walk' });
  await sign(practice, { id });
  const history = await practice.rest(`sessions_history?id=eq.${id}&select=change_id&order=version`);
  const [written = '', changed = '', signed = ''] = (history.json as { change_id: string }[]).map(
    ({ change_id }) => change_id,
  );
  const note = (await find(practice, 'sessions', id)) as Made;
  const draft = await make(practice, 'sessions', { client_id: note['client_id'], plan: 'draft' });
  target = { practice, note, draft, changes: [written, changed, signed] };
  before = await events(target);
});

type Path = (to: Target) => Promise<Answer>;

/** A request that tries to write the note. @param sent the method, and after a space the preferences */
const write =
  (sent: string, path: (to: Target) => string, body: (to: Target) => unknown): Path =>
  (to) => {
    const [method = '', prefer] = sent.split(' ');
    return to.practice.rest(path(to), { method, body: body(to), ...(prefer && { headers: { prefer } }) });
  };

const byId = ({ note }: Target): string => `sessions?id=eq.${note.id}`;
const byClient = ({ note }: Target): string => `sessions?client_id=eq.${String(note['client_id'])}`;
const all = (): string => 'sessions';
const merge = 'resolution=merge-duplicates';
const upsert = `POST ${merge}`;
const columns = {
  subjective: 'other',
  objective: 'other',
  assessment: 'other',
  plan: 'other',
  format: 'free',
  sections: { any: 'text' },
  appointment_id: null,
  template_id: null,
  needs_cosign_by: null,
  author_id: null,
  status: 'draft',
  signed_at: null,
  signed_by_name: 'Bo',
  signed_meaning: 'review',
  text_hash: '0',
  sealed_hash: '0',
  cosigned_at: '2026-01-01T00:00:00Z',
  voided_at: '2026-01-01T00:00:00Z',
  void_reason: 'none',
} as const;

const patches: [string, Path][] = Object.entries(columns).map(([name, value]) => [
  `PATCH of ${name} to ${JSON.stringify(value)}`,
  write('PATCH', byId, () => ({ [name]: value })),
]);

const undoing =
  (body: (to: Target) => object): Path =>
  async (to) =>
    rpc(to.practice, 'undo', body(to));

const others: [string, Path][] = [
  ['PATCH of nothing new', write('PATCH', byId, ({ note }) => ({ plan: note['plan'] }))],
  ['PATCH of the whole record', write('PATCH', byId, ({ note }) => ({ ...note, plan: 'other' }))],
  ['PATCH of the record as it was', write('PATCH', byId, ({ note }) => note)],
  ['PATCH of the client’s notes', write('PATCH', byClient, () => ({ plan: 'other' }))],
  [
    'PATCH of all signed notes',
    write(
      'PATCH',
      () => 'sessions?status=eq.signed',
      () => ({ plan: 'other' }),
    ),
  ],
  ['PATCH that asks for the record', write('PATCH return=representation', byId, () => ({ plan: 'other' }))],
  ['PATCH as a dry run', write('PATCH tx=rollback', byId, () => ({ plan: 'other' }))],
  ['PATCH that moves it', write('PATCH', byId, ({ note }) => ({ client_id: note['client_id'], plan: null }))],
  ['PUT of the record', write('PUT', byId, ({ note }) => note)],
  ['PUT of another text', write('PUT', byId, ({ note }) => ({ ...note, plan: 'other' }))],
  ['upsert', write(upsert, all, ({ note }) => ({ ...note, plan: 'other' }))],
  ['upsert of the record as it was', write(upsert, all, ({ note }) => note)],
  [
    'upsert among others',
    write(upsert, all, ({ note, draft }) => [
      { ...draft, plan: 'later' },
      { ...note, plan: 'other' },
    ]),
  ],
  [
    'bulk upsert by id',
    write(
      upsert,
      () => 'sessions?on_conflict=id',
      ({ note }) => [{ ...note, plan: 'x' }],
    ),
  ],
  [
    'import with its time of creation',
    write(upsert, all, ({ note }) => ({ ...note, created_at: note['created_at'], subjective: 'imported' })),
  ],
  [
    'import as CSV',
    ({ practice, note }) =>
      practice.rest('sessions', {
        method: 'POST',
        headers: { 'content-type': 'text/csv', prefer: merge },
        body: `id,client_id,plan\n${note.id},${String(note['client_id'])},imported`,
      }),
  ],
  ['DELETE', write('DELETE', byId, () => undefined)],
  ['DELETE of the client’s notes', write('DELETE', byClient, () => undefined)],
  [
    'DELETE of all signed notes',
    write(
      'DELETE',
      () => 'sessions?status=eq.signed',
      () => undefined,
    ),
  ],
  ['DELETE as a dry run', write('DELETE tx=rollback', byId, () => undefined)],
  ['undo of its creation', undoing(({ changes: [written] }) => ({ change_id: written }))],
  ['undo of a change', undoing(({ changes: [, changed] }) => ({ change_id: changed }))],
  ['undo of its signature', undoing(({ changes: [, , signed] }) => ({ change_id: signed }))],
  ['undo of all its changes', undoing(({ changes }) => ({ change_ids: changes }))],
  ['forced undo of its creation', undoing(({ changes: [id] }) => ({ change_id: id, force: true }))],
  ['forced undo of a change', undoing(({ changes: [, id] }) => ({ change_id: id, force: true }))],
  ['forced undo of its signature', undoing(({ changes: [, , id] }) => ({ change_id: id, force: true }))],
  [
    'signing again',
    ({ practice, note }) => rpc(practice, 'sign_note', { session_id: note.id, meaning: 'review' }),
  ],
];

const paths = [...patches, ...others];

describe('a signed note', () => {
  it.each(paths)('cannot be changed by %s', async (_, path) => {
    const answer = await path(target);
    expect(answer).toMatchObject({ status: 409, json: { code: 'PM020' } });
    expect(await events(target)).toEqual(before);
    expect(await find(target.practice, 'sessions', target.draft.id)).toEqual(target.draft);
  });

  it('is attacked in more than 40 ways', () => {
    expect(paths.length).toBeGreaterThan(40);
  });

  it('stays when all changes of its author are undone', async () => {
    const { practice } = target;
    const undo = await rpc(practice, 'undo', {
      actor_id: practice.therapistId,
      since: '2020-01-01T00:00:00Z',
    });
    expect(undo.json).toContainEqual(
      expect.objectContaining({
        service: 'clinical-notes',
        problem: expect.objectContaining({ code: 'PM020' }),
      }),
    );
    expect(await events(target)).toEqual(before);
  });
});
