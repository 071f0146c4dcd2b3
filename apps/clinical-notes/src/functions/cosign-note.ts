import { cosignNote } from '@practice/contracts';
import type { ArgumentsOf } from '@practice/resource';
import { Handles, RecentSignIns } from '@practice/write';
import type { FunctionCall, FunctionHandler, WritingCall } from '@practice/write';
import { printedName, signing } from '../sessions/signing.js';
import { namedNote } from './named-note.js';
import { requireSigner } from './signer.js';

type Arguments = ArgumentsOf<typeof cosignNote>;

@Handles(cosignNote)
export class CosignNote implements FunctionHandler<typeof cosignNote> {
  constructor(private readonly signIns: RecentSignIns) {}

  before(args: Arguments, { caller }: FunctionCall): Promise<void> {
    return requireSigner(this.signIns, caller, args);
  }

  async call(args: Arguments, { caller, transaction }: WritingCall) {
    const { id } = await namedNote(transaction, { ...args, therapistId: caller.therapistId });
    const cosignature = { cosigned_at: transaction.now, cosigned_by_name: printedName(caller) };
    await transaction.changeBy(signing, id, cosignature);
    return { id, ...cosignature };
  }
}
