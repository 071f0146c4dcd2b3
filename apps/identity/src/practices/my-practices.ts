import { myPractices } from '@practice/contracts';
import { Handles } from '@practice/write';
import type { FunctionCall, FunctionHandler } from '@practice/write';
import { Transactions } from '../store/transactions.js';
import { practicesOf } from '../users/access.js';

@Handles(myPractices)
export class MyPractices implements FunctionHandler<typeof myPractices> {
  constructor(private readonly transactions: Transactions) {}

  async call(_: object, { caller: { userId, therapistId: current } }: FunctionCall) {
    const practices = await this.transactions.run({ userId }, (tables) => practicesOf(tables, userId));
    return practices.map(({ therapistId, role, isHeld }) => ({
      ...{ therapist_id: therapistId, role, is_held: isHeld },
      is_current: therapistId === current,
    }));
  }
}
