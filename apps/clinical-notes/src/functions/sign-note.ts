import { sessions, signNote } from '@practice/contracts';
import { SEALED } from '@practice/core';
import { logTable, run } from '@practice/log';
import type { ArgumentsOf } from '@practice/resource';
import { Handles, namedRecord, type FunctionHandler, type WritingCall } from '@practice/write';
import { Drafts } from '../drafts/drafts.js';
import { sealedHash, signedColumns, textHash } from '../sessions/canonical.js';
import { printedName, signing } from '../sessions/signing.js';

/** Selects the sealed texts of a note from its log, one for each event. */
const SEALED_TEXTS = `SELECT data->>'${SEALED}' FROM ${logTable(sessions.service, 'events')}
WHERE therapist_id = $1 AND stream_id = $2 AND aggregate = '${sessions.aggregate}' ORDER BY version`;

/** Signs the text of the note in the log. The practice is locked, so no other write can happen in between. */
@Handles(signNote)
export class SignNote implements FunctionHandler<typeof signNote> {
  constructor(private readonly drafts: Drafts) {}

  async call(
    { session_id: id, meaning, version }: ArgumentsOf<typeof signNote>,
    { caller, transaction }: WritingCall,
  ) {
    const { therapistId, userId } = caller;
    const note = await namedRecord(sessions, transaction, { therapistId, id, version });
    await this.drafts.end({ caller, transaction }, note.id);
    const author_id = note.author_id ?? (meaning === 'authorship' ? userId : null);
    const sealed = await run(transaction.client, { text: SEALED_TEXTS, values: [therapistId, id] });
    const signature = {
      status: 'signed',
      author_id,
      signed_at: transaction.now,
      signed_by_name: printedName(caller),
      signed_meaning: meaning,
      text_hash: textHash({ ...note, author_id }, signedColumns),
      sealed_hash: sealedHash(sealed.map(([text]) => text ?? null)),
    } as const;
    await transaction.changeBy(signing, id, signature);
    return { id, ...signature };
  }
}
