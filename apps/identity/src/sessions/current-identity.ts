import { currentIdentity } from '@practice/contracts';
import { Handles } from '@practice/write';
import type { FunctionCall, FunctionHandler } from '@practice/write';

/** Everything is in the verified token. */
@Handles(currentIdentity)
export class CurrentIdentity implements FunctionHandler<typeof currentIdentity> {
  call(_: object, { caller }: FunctionCall) {
    return {
      therapist_id: caller.therapistId,
      user_id: caller.userId,
      role: caller.practiceRole,
      session_id: caller.sessionId ?? null,
      token_id: caller.tokenId ?? null,
      token_name: caller.tokenName ?? null,
      scopes: caller.scopes === undefined ? null : [...caller.scopes],
    };
  }
}
