import { saveDraft } from '@practice/contracts';
import type { ArgumentsOf, ResultOf } from '@practice/resource';
import { Handles, type FunctionHandler, type WritingCall } from '@practice/write';
import { Drafts } from '../drafts/drafts.js';

@Handles(saveDraft)
export class SaveDraft implements FunctionHandler<typeof saveDraft> {
  constructor(private readonly drafts: Drafts) {}

  async call(
    { session_id: id, version: seen, ...texts }: ArgumentsOf<typeof saveDraft>,
    { caller, transaction }: WritingCall,
  ): Promise<ResultOf<typeof saveDraft>> {
    const saved = await this.drafts.save(transaction, caller, { id, seen, texts });
    const { session_id, version, note_version, saved_at } = saved;
    return { session_id, version, note_version, saved_at };
  }
}
