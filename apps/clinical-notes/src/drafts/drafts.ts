// The drafts of notes, as the functions use them.

import { noteSigned, sessions, type SessionNote } from '@practice/contracts';
import { newId, reject, type Identity } from '@practice/core';
import { asSystem, clientErased, run, type Statement } from '@practice/log';
import { TenantDatabase, readRows, selectRows } from '@practice/storage';
import { unknownRecord, type RecordTransaction } from '@practice/write';
import { Injectable } from '@nestjs/common';
import { deleteDraft, readDrafts, selectDrafts, upsertDraft } from './draft-table.js';
import type { DraftKey, StoredDraft } from './draft-table.js';
import { draftChanged, isInNote, openTexts, sealTexts, type DraftTexts } from './draft-texts.js';

type Caller = Pick<Identity, 'therapistId' | 'userId'>;
type Locked = Pick<RecordTransaction, 'client' | 'now'>;

/** A draft with its texts. */
export type OpenDraft = StoredDraft & DraftTexts;

type Load = (statement: Statement) => Promise<(string | null)[][]>;

const keyOf = ({ therapistId, userId }: Caller, session_id: string): DraftKey => ({
  ...{ therapist_id: therapistId, author_id: userId, session_id },
});

@Injectable()
export class Drafts {
  constructor(private readonly database: TenantDatabase) {}

  /**
   * Saves a draft of a note.
   * @param seen the version of the draft that the caller has seen; null for none
   * @throws {Rejection} PM404 for an unknown note, PM020 for a final one, PM006 for another version, PM016 for an erased client
   */
  async save(
    { client, now }: Locked,
    caller: Caller,
    { id, seen, texts }: { readonly id: string; readonly seen: string | null; readonly texts: DraftTexts },
  ): Promise<StoredDraft> {
    const { therapistId } = caller;
    const of = keyOf(caller, id);
    const load = (statement: Statement) => run(client, statement);
    const note = (await this.notes(therapistId, [id], load)).get(id) ?? reject(unknownRecord(sessions, id));
    if (note.row.status !== 'draft') reject({ ...noteSigned, details: `sessions ${id}.` });
    await this.checkSeen(caller, { id, seen }, load);
    const clientId = note.row.client_id;
    const { personalKeys } = this.database;
    const { keys, statements } = await personalKeys.forClients(
      { therapistId, clients: [clientId], make: true },
      load,
    );
    const key = keys.get(clientId) ?? reject(clientErased(clientId));
    const named = { ...of, client_id: clientId, version: newId() };
    const sealed = sealTexts(key, named, texts);
    const draft = { ...named, note_version: note.version, saved_at: now, sealed };
    for (const statement of [...statements, upsertDraft(draft)]) await load(statement);
    return draft;
  }

  /** @throws {Rejection} PM006 for another version than the caller has seen */
  async discard(
    { client }: Locked,
    caller: Caller,
    { id, seen }: { id: string; seen: string | null },
  ): Promise<void> {
    const load = (statement: Statement) => run(client, statement);
    await this.checkSeen(caller, { id, seen }, load);
    await load(deleteDraft(keyOf(caller, id)));
  }

  /** @throws {Rejection} PM006 unless the caller has seen the draft. One whose text is in the note counts as none too. */
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
   * @throws {Rejection} PM006 when it has text that the note does not have
   */
  async end({ client }: Locked, caller: Caller, id: string): Promise<void> {
    const load = (statement: Statement) => run(client, statement);
    const [pending] = await this.pending(caller, id, load);
    if (pending !== undefined)
      reject(draftChanged(`The draft at version ${pending.version} has text that is not in the note.`));
    await load(deleteDraft(keyOf(caller, id)));
  }

  /** The drafts of the caller that have something which is not in their notes. */
  read(caller: Caller, id: string | null): Promise<OpenDraft[]> {
    const acting = asSystem(caller.therapistId);
    return this.pending(caller, id, (statement) => this.database.reads.run(acting, statement));
  }

  private async pending(caller: Caller, id: string | null, load: Load): Promise<OpenDraft[]> {
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

  private async notes(
    therapistId: string,
    ids: readonly string[],
    load: Load,
  ): Promise<Map<string, { readonly row: SessionNote; readonly version: number }>> {
    const rows = readRows(
      sessions,
      await load(selectRows(sessions, therapistId, { column: 'id', values: ids })),
    );
    return new Map(
      rows.map(({ row, version }) => [String(row['id']), { row: row as unknown as SessionNote, version }]),
    );
  }
}
