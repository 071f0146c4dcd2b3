import { sessionAddenda } from '@practice/contracts';
import { deciderOf } from '@practice/resource';
import { addendumColumns, textHash } from '../sessions/canonical.js';
import { printedName } from '../sessions/signing.js';

/** The rules of an addendum. Its author signs it when it is written. */
export const sessionAddendum = deciderOf(sessionAddenda, {
  create(record, { now, by }) {
    if (by === undefined) throw new Error('a signature needs a caller');
    const signature = { signed_at: now, signed_by_name: printedName(by) };
    return { ...signature, text_hash: textHash({ ...record, ...signature }, addendumColumns) };
  },
});
