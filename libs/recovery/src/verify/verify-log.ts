import { verifyLog } from '@practice/contracts';
import { asSystem, checkedRanges, checkRanges, practicePosition, rangesOf } from '@practice/log';
import type { CheckedRange, LogRange } from '@practice/log';
import type { ArgumentsOf, ResultOf } from '@practice/resource';
import { type FunctionCall, type FunctionHandler, Handles } from '@practice/write';
import { TenantDatabase } from '@practice/storage';

/** The number of events in one statement. It takes a few milliseconds, so that slow reads of other practices hardly have to wait. */
const PART = 500;
/** The time after which a call returns the result so far, in milliseconds: less than the gateway waits. */
const ENOUGH_MS = 1000;

type Found = ResultOf<typeof verifyLog>[number];

/** Checks the caller's log in this service in parts, until its end or until the time is up. */
@Handles(verifyLog)
export class VerifyLog implements FunctionHandler<typeof verifyLog> {
  constructor(private readonly database: TenantDatabase) {}

  async call(
    { after, upto }: ArgumentsOf<typeof verifyLog>,
    { caller: { therapistId }, deadline }: FunctionCall,
  ): Promise<Found[]> {
    const statement = practicePosition(this.database.service, therapistId);
    const [head] = await this.database.reads.run(asSystem(therapistId), statement);
    const log = { therapistId, position: Number(head?.[0] ?? 0), after: after ?? 0, upto };
    return this.checkAll(rangesOf([log], PART), deadline);
  }

  private async checkAll(ranges: readonly LogRange[], deadline: number): Promise<Found[]> {
    const until = Math.min(Date.now() + ENOUGH_MS, deadline);
    for (const range of ranges) {
      const found = await this.check(range, deadline);
      const isLast = range === ranges.at(-1);
      if (isLast || found.firstBroken !== null || Date.now() >= until) return [this.foundOf(found, isLast)];
    }
    return [];
  }

  private async check(range: LogRange, deadline: number): Promise<CheckedRange> {
    const statement = checkRanges(this.database.service, [range]);
    const [found] = checkedRanges(
      await this.database.reads.runSlowly(asSystem(range.therapistId), statement, deadline),
    );
    if (found === undefined) throw new Error('a range was not checked');
    return found;
  }

  private foundOf({ position, hash, firstBroken }: CheckedRange, isWhole: boolean): Found {
    return {
      service: this.database.service,
      positions: position,
      head_hash: hash,
      intact: firstBroken !== null ? false : isWhole ? true : null,
      first_broken: firstBroken,
    };
  }
}
