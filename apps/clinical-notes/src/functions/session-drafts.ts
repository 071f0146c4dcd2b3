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
    const ids = found.map(({ sessionId }) => sessionId);
    await this.accesses.record(sessions, accessor, { count: ids.length, ids });
    return found.map(({ sessionId, clientId, version, noteVersion, savedAt, sealed: _, ...texts }) => ({
      ...{
        session_id: sessionId,
        client_id: clientId,
        version,
        note_version: noteVersion,
        saved_at: savedAt,
      },
      ...texts,
    }));
  }
}
