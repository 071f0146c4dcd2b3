// An addendum is about a signed note, and is signed by its author when it is written.

import { sessionAddenda, sessions, type SessionAddendum } from '@practice/contracts';
import { reject } from '@practice/core';
import { lookup, type Decider, type Draft, type LookupContext } from '@practice/resource';
import { addendumColumns, textHash } from '../sessions/canonical.js';
import { notSigned, printedName } from '../sessions/signing.js';

type Addenda = typeof sessionAddenda;

export const sessionAddendum: Decider<Addenda> = {
  definition: sessionAddenda,
  lookups: (command) =>
    command.kind === 'create' ? [lookup(sessions, 'id', [command.record.session_id])] : [],
  decide(command, _, context) {
    if (command.kind !== 'create') throw new Error(`addenda do not support ${command.kind}`);
    return [{ type: 'SessionAddendumSigned', data: signed(command.record, context) }];
  },
};

const OF_SIGNATURES = ['author_id', 'signed_at', 'signed_by_name', 'text_hash'] as const;

/** @throws {Rejection} PM001 for a note that is not signed, 23503 for another client, 428C9 for values of the signature */
function signed(record: Draft<Addenda>, { rows, now, by }: LookupContext): SessionAddendum {
  for (const name of OF_SIGNATURES) if (record[name] !== null) reject(setBySigning(name));
  const [note] = rows(sessions, 'id', record.session_id);
  if (note === undefined) throw new Error('references are checked before');
  if (note.status !== 'signed') reject(notSigned(note));
  if ((record.client_id ?? note.client_id) !== note.client_id) reject(otherClient(record));
  if (by === undefined) throw new Error('a signature needs a caller');
  const addendum = {
    ...record,
    client_id: note.client_id,
    author_id: by.userId,
    signed_at: now,
    signed_by_name: printedName(by),
  };
  return { ...addendum, text_hash: textHash(addendum, addendumColumns) };
}

const setBySigning = (column: string) => ({
  status: 400,
  code: '428C9',
  message: `cannot insert a value into column "${column}"`,
  details: 'The server signs an addendum when it is written.',
});

const otherClient = ({ session_id, client_id }: Draft<Addenda>) => ({
  status: 409,
  code: '23503',
  message:
    'insert or update on table "session_addenda" violates foreign key constraint "session_addenda_session_id_fkey"',
  details: `Key (session_id, client_id)=(${session_id}, ${client_id}) is not present in table "sessions".`,
  hint: 'The note belongs to another client.',
});
