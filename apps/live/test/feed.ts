// Calls of the feed, through the gateway.

import { expect } from '@jest/globals';
import { call, make } from '@practice/testing';
import type { Answer, Made, Practice } from '@practice/testing';
import type { Sent } from './event-source.js';

export interface Page {
  readonly events: readonly Sent['data'][];
  readonly cursor: string;
  readonly more: boolean;
}

interface Asking {
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Caller = Pick<Practice, 'token'>;

/** Asks for a page. */
export const ask = ({ token }: Caller, query = '', { origin, headers }: Asking = {}): Promise<Answer> =>
  call(`/events/v1/${query}`, {
    ...(origin !== undefined && { origin }),
    headers: { authorization: `Bearer ${token}`, ...headers },
  });

/** A page that is not refused. */
export async function pageOf(caller: Caller, query = ''): Promise<Page> {
  const answer = await ask(caller, query);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json as Page;
}

/** The cursor after the last event. */
export const now = async (caller: Caller): Promise<string> => (await pageOf(caller, '?cursor=now')).cursor;

export const shortTypes = ({ events }: Page): string[] => events.map(({ type }) => type.split('.')[2] ?? '');

/** Makes an event. */
export const spend = (of: Practice): Promise<Made> => make(of, 'expenses', { date: '2026-01-05', amount: 1 });
