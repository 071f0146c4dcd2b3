import { expect, it } from '@jest/globals';
import { createLogger } from '@practice/process';
import { RepeatedWork } from './repeated-work.js';

it('a row whose work fails does not delay the others', async () => {
  const tried: string[] = [];
  let sweep: RepeatedWork | undefined;
  await new Promise<void>((resolve) => {
    class Sweep extends RepeatedWork {
      protected async work(): Promise<void> {
        const rows = ['stuck', 'other'].map((id) => ['practice', id]);
        await this.forEach(rows, (practice, id) => {
          tried.push(`${practice} ${id}`);
          return id === 'stuck' ? Promise.reject(new Error('refused')) : Promise.resolve();
        });
        resolve();
      }
    }
    sweep = new Sweep(1, 'the work was not done', createLogger('spec', 'silent'));
    void sweep.onApplicationBootstrap();
  });
  sweep?.onApplicationShutdown();
  expect(tried).toEqual(['practice stuck', 'practice other']);
});
