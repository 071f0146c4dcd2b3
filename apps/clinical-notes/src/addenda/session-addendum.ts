import { sessionAddenda, sessions, type SessionNote } from '@practice/contracts';
import { reject } from '@practice/core';
import { deciderOf } from '@practice/resource';
import { addendumColumns, textHash } from '../sessions/canonical.js';
import { notSigned, printedName } from '../sessions/signing.js';

/** An addendum is about a signed note, and is signed by its author when it is written. */
export const sessionAddendum = deciderOf(sessionAddenda, {
  create(record, { rows, now, by }) {
    const [note] = rows(sessions, 'id', record.session_id);
    if (note?.status !== 'signed') reject(notSigned(note as SessionNote));
    if (by === undefined) throw new Error('a signature needs a caller');
    const signature = { author_id: by.userId, signed_at: now, signed_by_name: printedName(by) };
    return { ...signature, text_hash: textHash({ ...record, ...signature }, addendumColumns) };
  },
});
