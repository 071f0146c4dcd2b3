import { expect, it } from '@jest/globals';
import { answerOf, friendlyNameOf } from './answer.js';

const challengeId = '0d4f5c58-7a6b-4a6e-9a43-bb10d6c0e6a5';

it('reads the challenge and the credential, which keeps its other members', () => {
  const credential = { id: 'A_-9', rawId: 'A_-9', response: {} };
  expect(answerOf({ challenge_id: challengeId.toUpperCase(), credential })).toEqual({
    challengeId,
    answer: credential,
  });
});

it.each([
  [{ credential: { id: 'A' } }, 'challenge_id must be a valid UUID'],
  [{ challenge_id: challengeId }, 'credential must be the JSON of a PublicKeyCredential'],
  [
    { challenge_id: challengeId, credential: { id: 'A=' } },
    'credential must be the JSON of a PublicKeyCredential',
  ],
])('refuses %j', (fields, message) => {
  expect(() => answerOf(fields)).toThrow(message);
});

it('trims a name, and refuses one that is missing, empty, too long or not printable', () => {
  expect(friendlyNameOf({ friendly_name: ' Laptop ' })).toBe('Laptop');
  expect(friendlyNameOf({ friendly_name: 'a'.repeat(120) })).toHaveLength(120);
  for (const friendly_name of [undefined, 7, '', ' ', 'a'.repeat(121), 'a\nb', '\ud800'])
    expect(() => friendlyNameOf({ friendly_name })).toThrow('friendly_name must be a string');
});
