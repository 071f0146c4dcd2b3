// Drafts of notes, in a private table: one for each note and author. The texts are sealed with the key of the client, so an erasure of
// the client makes them unreadable. The log and its backups never contain drafts.

import { ownPracticeOnly, type Statement, type TextRow } from '@practice/log';

const TABLE = 'clinical_notes.session_drafts';

export const draftTable: readonly string[] = [
  `CREATE TABLE ${TABLE} (
    therapist_id uuid NOT NULL,
    session_id uuid NOT NULL,
    author_id uuid NOT NULL,
    client_id uuid NOT NULL,
    version uuid NOT NULL,
    note_version integer NOT NULL,
    saved_at timestamp with time zone NOT NULL,
    sealed text NOT NULL,
    PRIMARY KEY (therapist_id, author_id, session_id)
  )`,
  ...ownPracticeOnly({ schema: 'clinical_notes', role: 'clinical_notes' }, 'session_drafts'),
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ${TABLE} TO clinical_notes`,
];

/** The author and the note of a draft. */
export interface DraftKey {
  readonly therapist_id: string;
  readonly author_id: string;
  readonly session_id: string;
}

export interface StoredDraft extends DraftKey {
  readonly client_id: string;
  readonly version: string;
  readonly note_version: number;
  readonly saved_at: string;
  readonly sealed: string;
}

/** The drafts of an author. @param key a null `session_id` for the drafts of all notes */
export const selectDrafts = (
  key: Omit<DraftKey, 'session_id'> & { readonly session_id: string | null },
): Statement => ({
  text: `SELECT to_json(d) FROM ${TABLE} AS d
WHERE therapist_id = $1 AND author_id = $2 AND ($3::uuid IS NULL OR session_id = $3) ORDER BY saved_at DESC LIMIT 1000`,
  values: [key.therapist_id, key.author_id, key.session_id],
});

export const readDrafts = (rows: readonly TextRow[]): StoredDraft[] =>
  rows.map(([row]) => JSON.parse(String(row)) as StoredDraft);

export const upsertDraft = (draft: StoredDraft): Statement => ({
  text: `INSERT INTO ${TABLE} SELECT (json_populate_record(NULL::${TABLE}, $1::json)).*
ON CONFLICT (therapist_id, author_id, session_id) DO UPDATE
SET client_id = excluded.client_id, version = excluded.version, note_version = excluded.note_version,
  saved_at = excluded.saved_at, sealed = excluded.sealed`,
  values: [JSON.stringify(draft)],
});

export const deleteDraft = (key: DraftKey): Statement => ({
  text: `DELETE FROM ${TABLE} WHERE therapist_id = $1 AND author_id = $2 AND session_id = $3`,
  values: [key.therapist_id, key.author_id, key.session_id],
});
