import { Injectable } from '@nestjs/common';

/**
 * Runs the writes of one practice one after another within this process. The head row's lock would make them wait anyway,
 * each holding a connection. With the queue, a busy practice uses one connection and delays only itself.
 */
@Injectable()
export class PracticeQueue {
  private readonly last = new Map<string, Promise<unknown>>();

  run<T>(therapistId: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(therapistId);
    const result = before === undefined ? work() : before.then(work);
    const settled = result.then(ignore, ignore).then(() => {
      if (this.last.get(therapistId) === settled) this.last.delete(therapistId);
    });
    this.last.set(therapistId, settled);
    return result;
  }
}

const ignore = (): void => undefined;
