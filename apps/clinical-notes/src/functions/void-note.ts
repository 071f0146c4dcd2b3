import { voidNote } from '@practice/contracts';
import type { ArgumentsOf } from '@practice/resource';
import { Handles, type FunctionHandler, type WritingCall } from '@practice/write';
import { signing } from '../sessions/signing.js';
import { namedNote } from './named-note.js';

@Handles(voidNote)
export class VoidNote implements FunctionHandler<typeof voidNote> {
  async call({ reason, ...named }: ArgumentsOf<typeof voidNote>, { caller, transaction }: WritingCall) {
    const { id } = await namedNote(transaction, { ...named, therapistId: caller.therapistId });
    const voided = { status: 'voided', voided_at: transaction.now, void_reason: reason } as const;
    await transaction.changeBy(signing, id, voided);
    return { id, ...voided };
  }
}
