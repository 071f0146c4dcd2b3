// The drafts of notes. Each API function for drafts is a method.

import { noteSigned, sessions } from '@practice/contracts';
import type { discardDraft, saveDraft, sessionDrafts } from '@practice/contracts';
import { newId, reject, type Identity } from '@practice/core';
import { asSystem, clientErased, run, type Statement } from '@practice/log';
import { AccessLog } from '@practice/read';
import type { ArgumentsOf, ResultOf } from '@practice/resource';
import { TenantDatabase, readRows, selectRows } from '@practice/storage';
import { unknownRecord, type FunctionCall, type WritingCall } from '@practice/write';
import { Injectable } from '@nestjs/common';
import { deleteDraft, readDrafts, selectDrafts, upsertDraft } from './draft-table.js';
import type { DraftKey, StoredDraft } from './draft-table.js';
import { draftChanged, isInNote, openTexts, sealTexts, type DraftTexts } from './draft-texts.js';

type Caller = Pick<Identity, 'therapistId' | 'userId'>;
type Writing = Pick<WritingCall, 'caller' | 'transaction'>;

type Load = (statement: Statement) => Promise<(string | null)[][]>;

const keyOf = ({ therapistId, userId }: Caller, session_id: string): DraftKey => ({
  ...{ therapist_id: therapistId, author_id: userId, session_id },
});

@Injectable()
export class Drafts {
  constructor(
    private readonly database: TenantDatabase,
    private readonly accesses: AccessLog,
  ) {}

  /** @throws {Rejection} PM404 for an unknown note, PM020 for a final note, PM006 for another version, PM016 for an erased client, PM507 without space */
  async save(
    { session_id, version: seen, ...texts }: ArgumentsOf<typeof saveDraft>,
    { caller, transaction }: Writing,
  ): Promise<ResultOf<typeof saveDraft>> {
    transaction.requireSpace();
    const { client, now } = transaction;
    const { therapistId } = caller;
    const of = keyOf(caller, session_id);
    const load = (statement: Statement) => run(client, statement);
    const notes = await this.notes(therapistId, [session_id], load);
    const note = notes.get(session_id) ?? reject(unknownRecord(sessions, session_id));
    if (note.row.status !== 'draft') reject({ ...noteSigned, details: `sessions ${session_id}.` });
    await this.checkSeen(caller, { id: session_id, seen }, load);
    const { client_id } = note.row;
    const asked = { therapistId, clients: [client_id], make: true };
    const { keys, statements } = await this.database.personalKeys.forClients(asked, load);
    const key = keys.get(client_id) ?? reject(clientErased(client_id));
    const saved = { session_id, version: newId(), note_version: note.version, saved_at: now };
    const named = { ...of, ...saved, client_id };
    const draft = { ...named, sealed: sealTexts(key, named, texts) };
    for (const statement of [...statements, upsertDraft(draft)]) await load(statement);
    return saved;
  }

  /** @throws {Rejection} PM006 for another version than the caller has seen */
  async discard(
    { session_id, version: seen }: ArgumentsOf<typeof discardDraft>,
    { caller, transaction: { client } }: Writing,
  ): Promise<void> {
    const load = (statement: Statement) => run(client, statement);
    await this.checkSeen(caller, { id: session_id, seen }, load);
    await load(deleteDraft(keyOf(caller, session_id)));
  }

  /** @throws {Rejection} PM006 unless the caller has seen the draft. A draft whose text is in the note may also count as no draft. */
  private async checkSeen(
    caller: Caller,
    { id, seen }: { readonly id: string; readonly seen: string | null },
    load: Load,
  ): Promise<void> {
    const [stored] = readDrafts(await load(selectDrafts(keyOf(caller, id))));
    if ((stored?.version ?? null) === seen) return;
    const [pending] = await this.pending(caller, id, load);
    if ((pending?.version ?? null) === seen) return;
    const saved = pending
      ? `The draft is at version ${pending.version}, saved at ${pending.saved_at}`
      : 'There is no draft';
    reject(draftChanged(`${saved}; the version that was sent is ${seen ?? 'null'}.`));
  }

  /**
   * Deletes the draft of a note that is about to be signed.
   * @throws {Rejection} PM006 when the draft has text that the note does not have
   */
  async end({ caller, transaction: { client } }: Writing, id: string): Promise<void> {
    const load = (statement: Statement) => run(client, statement);
    const [pending] = await this.pending(caller, id, load);
    if (pending !== undefined)
      reject(draftChanged(`The draft at version ${pending.version} has text that is not in the note.`));
    await load(deleteDraft(keyOf(caller, id)));
  }

  /** The drafts of the caller with text that is not in their notes. */
  async read(
    { session_id }: ArgumentsOf<typeof sessionDrafts>,
    { caller, requestId }: FunctionCall,
  ): Promise<ResultOf<typeof sessionDrafts>> {
    const acting = asSystem(caller.therapistId);
    const load: Load = (statement) => this.database.reads.run(acting, statement);
    const found = await this.pending(caller, session_id, load);
    const ids = found.map((draft) => draft.session_id);
    const accessor = { by: { ...caller, requestId }, method: 'GET' };
    await this.accesses.record(sessions, accessor, { count: ids.length, ids });
    return found.map(({ therapist_id: _, author_id: __, sealed: ___, ...draft }) => draft);
  }

  private async pending(
    caller: Caller,
    id: string | null,
    load: Load,
  ): Promise<(StoredDraft & DraftTexts)[]> {
    const { therapistId, userId } = caller;
    const key = { therapist_id: therapistId, author_id: userId, session_id: id };
    const stored = readDrafts(await load(selectDrafts(key)));
    if (stored.length === 0) return [];
    const clients = [...new Set(stored.map(({ client_id }) => client_id))];
    const { keys } = await this.database.personalKeys.forClients({ therapistId, clients }, load);
    const ids = stored.map(({ session_id }) => session_id);
    const notes = await this.notes(therapistId, ids, load);
    return stored.flatMap((draft) => {
      const texts = openTexts(keys.get(draft.client_id), draft);
      const note = notes.get(draft.session_id);
      if (texts === undefined) return [];
      const isSpent = note !== undefined && isInNote(texts, note.row, note.version > draft.note_version);
      return isSpent ? [] : [{ ...draft, ...texts }];
    });
  }

  private async notes(therapistId: string, ids: readonly string[], load: Load) {
    const found = await load(selectRows(sessions, therapistId, { column: 'id', values: ids }));
    return new Map(readRows(sessions, found).map((note) => [note.row.id, note]));
  }
}
