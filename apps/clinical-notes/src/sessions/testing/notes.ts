import { expect } from '@jest/globals';
import { make, type Answer, type Made, type Practice } from '@practice/testing';

export const rpc = (practice: Practice, name: string, body: object): Promise<Answer> =>
  practice.rest(`rpc/${name}`, { method: 'POST', body });

/** A note of a new client. */
export async function writeNote(practice: Practice, more: object = {}): Promise<Made> {
  const { id } = await make(practice, 'clients', { name: 'Ada' });
  return make(practice, 'sessions', { client_id: id, subjective: 'sleeps badly', plan: 'rest', ...more });
}

/** Signs a note, and expects success. */
export async function sign(practice: Practice, { id }: { readonly id: string }): Promise<Made> {
  const answer = await rpc(practice, 'sign_note', { session_id: id, meaning: 'authorship' });
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json as Made;
}

/** A signed note of a new client. */
export async function signedNote(practice: Practice, more: object = {}): Promise<Made> {
  const note = await writeNote(practice, more);
  return { ...note, ...(await sign(practice, note)) };
}
