import { expect, it } from '@jest/globals';
import { ofSeries } from './drafts.js';
import type { InnerCall, InnerCalls } from './inner-calls.js';

it('a change of a series is carried out on the version that was proposed only', async () => {
  const tried: InnerCall[] = [];
  const calls = { need: async (call: InnerCall) => tried.push(call) && [{}] } as unknown as InnerCalls;
  const call: InnerCall = { method: 'POST', path: 'rpc/change_series', body: {} };
  const series = { id: 's', version: 3 };
  const { command } = await ofSeries(calls, call, { series, booked: [], later: {} });
  expect(command.headers).toMatchObject({ 'if-match': '"3"' });
  expect(tried[0]?.headers).not.toHaveProperty('if-match');
});
