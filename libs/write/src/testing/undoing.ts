// Calls of undo, for specs.

import { expect } from '@jest/globals';
import type { Answer, Made, Practice } from '@practice/testing';

/** A row of the response. */
export interface Undone {
  readonly service: string;
  readonly resource: string | null;
  readonly id: string | null;
  readonly event: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly undoes: string | null;
  readonly problem: { readonly code: string } | null;
}

/** The record without the time of its last change. */
export const stable = ({ updated_at: _, ...record }: Made): object => record;

/** Status and code of a refusal. */
export async function codeOf(answer: Promise<Answer>): Promise<unknown[]> {
  const { status, json } = await answer;
  return [status, (json as { code?: string }).code];
}

/** Makes undo calls, and writes that return their changes, in a practice that may be made later. */
export function undoing(practice: () => Practice) {
  const undo = (args: object, headers = {}): Promise<Answer> =>
    practice().rest('rpc/undo', { method: 'POST', body: args, headers });
  return {
    undo,

    /** Makes a write and returns the id of its change. */
    async changed(path: string, method: string, body?: object): Promise<string> {
      const answer = await practice().rest(path, { method, ...(body !== undefined && { body }) });
      expect([answer.status < 300, answer.text]).toEqual([true, '']);
      return answer.headers.get('change-id') as string;
    },

    /** Undoes changes. Fails if the undo is refused. */
    async undone(args: object): Promise<{ rows: Undone[]; change: string }> {
      const answer = await undo(args);
      expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
      return { rows: answer.json as Undone[], change: answer.headers.get('change-id') as string };
    },

    /** The last change in the history of a record. */
    async lastChange(resource: string, id: string): Promise<string> {
      const path = `${resource}_history?id=eq.${id}&select=change_id&order=version.desc&limit=1`;
      return ((await practice().rest(path)).json as { change_id: string }[])[0]?.change_id as string;
    },
  };
}
