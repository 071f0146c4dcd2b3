import { openSessions } from '@practice/contracts';
import { instant } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionCall, FunctionHandler } from '@practice/write';
import type { SignInMethod } from './proven.js';
import { Transactions } from '../store/transactions.js';

interface Stored {
  readonly id: string;
  readonly method: SignInMethod;
  readonly at: Date;
}

@Handles(openSessions)
export class OpenSessions implements FunctionHandler<typeof openSessions> {
  constructor(private readonly transactions: Transactions) {}

  async call(_: object, { caller: { userId, sessionId } }: FunctionCall) {
    const { rows } = await this.transactions.run({ userId }, (client) =>
      client.query<Stored>(
        `SELECT id, method, created_at AS at FROM identity.sessions
         WHERE user_id = $1 AND ended_at IS NULL ORDER BY created_at DESC, id`,
        [userId],
      ),
    );
    return rows.map(({ id, method, at }) => ({
      ...{ id, method, created_at: instant(at.getTime()) },
      is_current: id === sessionId,
    }));
  }
}
