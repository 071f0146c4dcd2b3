// The note that a function is about, read in its transaction.

import { sessions, type SessionNote } from '@practice/contracts';
import { reject, SEALED } from '@practice/core';
import { logTable, run } from '@practice/log';
import { type RecordTransaction, checkVersion } from '@practice/write';
import { readRows, selectRows } from '@practice/storage';
import { unknownNote } from '../sessions/signing.js';

interface Named {
  readonly therapistId: string;
  readonly session_id: string;
  readonly version: number | null;
}

/** @throws {Rejection} PM404 for an unknown note, PM006 for another version than the caller has seen */
export async function namedNote(
  { client }: Pick<RecordTransaction, 'client'>,
  { therapistId, session_id: id, version: seen }: Named,
): Promise<SessionNote> {
  const byId = { column: 'id', values: [id] };
  const [found] = readRows(sessions, await run(client, selectRows(sessions, therapistId, byId)));
  const { row, version } = found ?? reject(unknownNote(id));
  if (seen !== null) checkVersion(version, `"${seen}"`);
  return row as unknown as SessionNote;
}

/** The texts of a note as its log stores them, sealed: one for each event. */
export const sealedTexts = (service: string): string =>
  `SELECT data->>'${SEALED}' FROM ${logTable(service, 'events')}
WHERE therapist_id = $1 AND stream_id = $2 AND aggregate = '${sessions.aggregate}' ORDER BY version`;
