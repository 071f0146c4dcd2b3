import { sessionDrafts, sessions } from '@practice/contracts';
import { AccessLog } from '@practice/read';
import type { ArgumentsOf, ResultOf } from '@practice/resource';
import { Handles, type FunctionCall, type FunctionHandler } from '@practice/write';
import { Drafts } from '../drafts/drafts.js';

@Handles(sessionDrafts)
export class SessionDrafts implements FunctionHandler<typeof sessionDrafts> {
  constructor(
    private readonly drafts: Drafts,
    private readonly accesses: AccessLog,
  ) {}

  async call(
    { session_id: id }: ArgumentsOf<typeof sessionDrafts>,
    { caller, requestId }: FunctionCall,
  ): Promise<ResultOf<typeof sessionDrafts>> {
    const found = await this.drafts.read(caller, id);
    const accessor = { by: { ...caller, requestId }, method: 'GET' };
    const ids = found.map(({ session_id }) => session_id);
    await this.accesses.record(sessions, accessor, { count: ids.length, ids });
    return found.map(({ therapist_id: _, author_id: __, sealed: ___, ...draft }) => draft);
  }
}
