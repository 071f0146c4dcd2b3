import { discardDraft } from '@practice/contracts';
import type { ArgumentsOf } from '@practice/resource';
import { Handles, type FunctionHandler, type WritingCall } from '@practice/write';
import { Drafts } from '../drafts/drafts.js';

@Handles(discardDraft)
export class DiscardDraft implements FunctionHandler<typeof discardDraft> {
  constructor(private readonly drafts: Drafts) {}

  call(
    { session_id: id, version: seen }: ArgumentsOf<typeof discardDraft>,
    { caller, transaction }: WritingCall,
  ): Promise<void> {
    return this.drafts.discard(transaction, caller, { id, seen });
  }
}
