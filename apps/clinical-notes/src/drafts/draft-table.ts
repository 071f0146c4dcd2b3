// Drafts of notes, in a private table: one for each note and author. The texts are sealed with the key of the client, so an erasure of
// the client makes them unreadable. The log, and the log's backups, never have them.

import { ownPracticeOnly, type Statement, type TextRow } from '@practice/log';

export const draftTable: readonly string[] = [
  `CREATE TABLE clinical_notes.session_drafts (
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
  'GRANT SELECT, INSERT, UPDATE, DELETE ON clinical_notes.session_drafts TO clinical_notes',
];

/** The author of a draft, and its note. */
export interface DraftKey {
  readonly therapistId: string;
  readonly authorId: string;
  readonly sessionId: string;
}

/** A draft as it is stored. */
export interface StoredDraft {
  readonly sessionId: string;
  readonly clientId: string;
  readonly version: string;
  readonly noteVersion: number;
  readonly savedAt: string;
  readonly sealed: string;
}

/** The drafts of an author. @param sessionId null for the drafts of all notes */
export const selectDrafts = ({
  therapistId,
  authorId,
  sessionId,
}: Omit<DraftKey, 'sessionId'> & { readonly sessionId: string | null }): Statement => ({
  text: `SELECT session_id, client_id, version, note_version, to_json(saved_at) #>> '{}', sealed FROM clinical_notes.session_drafts
WHERE therapist_id = $1 AND author_id = $2 AND ($3::uuid IS NULL OR session_id = $3) ORDER BY saved_at DESC LIMIT 1000`,
  values: [therapistId, authorId, sessionId],
});

export const readDrafts = (rows: readonly TextRow[]): StoredDraft[] =>
  rows.map((row) => {
    const [sessionId, clientId, version, noteVersion, savedAt, sealed] = row.map(String) as [
      ...[string, string, string, string, string, string],
    ];
    return { sessionId, clientId, version, noteVersion: Number(noteVersion), savedAt, sealed };
  });

export const upsertDraft = ({ therapistId, authorId }: DraftKey, draft: StoredDraft): Statement => ({
  text: `INSERT INTO clinical_notes.session_drafts (therapist_id, author_id, session_id, client_id, version, note_version, saved_at, sealed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (therapist_id, author_id, session_id) DO UPDATE
SET client_id = excluded.client_id, version = excluded.version, note_version = excluded.note_version,
  saved_at = excluded.saved_at, sealed = excluded.sealed`,
  values: [
    ...[therapistId, authorId, draft.sessionId, draft.clientId, draft.version],
    ...[String(draft.noteVersion), draft.savedAt, draft.sealed],
  ],
});

export const deleteDraft = ({ therapistId, authorId, sessionId }: DraftKey): Statement => ({
  text: 'DELETE FROM clinical_notes.session_drafts WHERE therapist_id = $1 AND author_id = $2 AND session_id = $3',
  values: [therapistId, authorId, sessionId],
});
