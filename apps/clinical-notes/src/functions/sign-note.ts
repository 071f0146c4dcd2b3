import { signNote } from '@practice/contracts';
import { run } from '@practice/log';
import type { ArgumentsOf } from '@practice/resource';
import { Handles, RecentSignIns } from '@practice/write';
import type { FunctionCall, FunctionHandler, WritingCall } from '@practice/write';
import { Drafts } from '../drafts/drafts.js';
import { sealedHash, signedColumns, textHash } from '../sessions/canonical.js';
import { printedName, signing } from '../sessions/signing.js';
import { namedNote, sealedTexts } from './named-note.js';
import { requireSigner } from './signer.js';

type Arguments = ArgumentsOf<typeof signNote>;

/** Signs the note as the log has it. The practice is locked, so no other write comes in between. */
@Handles(signNote)
export class SignNote implements FunctionHandler<typeof signNote> {
  constructor(
    private readonly signIns: RecentSignIns,
    private readonly drafts: Drafts,
  ) {}

  before(args: Arguments, { caller }: FunctionCall): Promise<void> {
    return requireSigner(this.signIns, caller, args);
  }

  async call({ meaning, ...named }: Arguments, { caller, transaction }: WritingCall) {
    const { therapistId, userId } = caller;
    const note = await namedNote(transaction, { therapistId, ...named });
    await this.drafts.end(transaction, caller, note.id);
    const author_id = note.author_id ?? (meaning === 'authorship' ? userId : null);
    const sealed = await run(transaction.client, {
      text: sealedTexts(signing.definition.service),
      values: [therapistId, note.id],
    });
    const signature = {
      status: 'signed',
      author_id,
      signed_at: transaction.now,
      signed_by_name: printedName(caller),
      signed_meaning: meaning,
      text_hash: textHash({ ...note, author_id }, signedColumns),
      sealed_hash: sealedHash(sealed.map(([text]) => text ?? null)),
    } as const;
    await transaction.changeBy(signing, note.id, signature);
    return { id: note.id, ...signature };
  }
}
