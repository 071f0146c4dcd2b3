import { expect } from '@jest/globals';
import { rowsOf, type Answer, type Practice } from '@practice/testing';
import { rpc } from '../../sessions/testing/notes.js';

export interface Draft {
  readonly session_id: string;
  readonly version: string;
  readonly note_version: number;
  readonly plan: string | null;
}

export const saveDraft = (practice: Practice, body: object): Promise<Answer> =>
  rpc(practice, 'save_draft', body);

/** Saves a draft, and expects success. */
export async function saved(practice: Practice, body: object): Promise<Draft> {
  const answer = await saveDraft(practice, body);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json as Draft;
}

export const draftsOf = (practice: Practice, id: string): Promise<Draft[]> =>
  rowsOf<Draft>(practice, `rpc/session_drafts?session_id=${id}`);
