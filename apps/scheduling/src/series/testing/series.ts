// Calls for series. Each test has its own year.

import { expect } from '@jest/globals';
import type { Answer, Made, Practice } from '@practice/testing';

export interface Booked extends Made {
  readonly date: string;
  readonly start_time: string;
  readonly status: string;
}

export const later = (from: string, days: number): string =>
  new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);

export const at = (day: string) => ({ date: day, start_time: '09:00', end_time: '09:50' });

export const problem = async (answer: Promise<Answer>): Promise<unknown[]> => {
  const { status, json } = await answer;
  const { code, details } = json as { code?: string; details?: string };
  return [status, code, details];
};

let year = 2100;

/** The first Monday of a year that no other test of the file has. */
function freshMonday(): string {
  const first = new Date(Date.UTC((year += 2), 0, 1));
  first.setUTCDate(1 + ((8 - first.getUTCDay()) % 7));
  return first.toISOString().slice(0, 10);
}

/** A series that can be booked, from a Monday on. */
export const weekly = (count = 4) => ({
  rrule: `FREQ=WEEKLY;COUNT=${count}`,
  ...at(freshMonday()),
});

/** The calls of one practice. */
export function seriesOf(practice: () => Practice) {
  const rest: Practice['rest'] = (path, call) => practice().rest(path, call);
  const post = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
    rest('appointment_series', {
      method: 'POST',
      body,
      headers: { prefer: 'return=representation', ...headers },
    });
  return {
    post,
    call: (args: object, headers: Record<string, string> = {}): Promise<Answer> =>
      rest('rpc/change_series', { method: 'POST', body: args, headers }),
    patch: (id: string, body: object): Promise<Answer> =>
      rest(`appointment_series?id=eq.${id}`, { method: 'PATCH', body }),
    undo: (answer: Answer): Promise<Answer> =>
      rest('rpc/undo', { method: 'POST', body: { change_id: answer.headers.get('change-id') } }),
    booked: async (id: string): Promise<Booked[]> =>
      (await rest(`appointments?series_id=eq.${id}&order=series_date`)).json as Booked[],
    created: async (body: object): Promise<Made> => {
      const answer = await post(body);
      expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, '']);
      return (answer.json as [Made])[0];
    },
  };
}
