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
    const { version, noteVersion, savedAt } = await this.drafts.save(transaction, caller, {
      id,
      seen,
      texts,
    });
    return { session_id: id, version, note_version: noteVersion, saved_at: savedAt };
  }
}
