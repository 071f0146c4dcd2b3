import { describe, expect, it } from '@jest/globals';
import { textHash } from './canonical.js';

describe('the hash of a text', () => {
  it('uses null for a column without a value, so it covers every column', () => {
    expect(textHash({ plan: 'rest' }, ['plan', 'objective'])).toBe(
      textHash({ objective: null, plan: 'rest', status: 'draft' }, ['objective', 'plan']),
    );
    expect(textHash({ plan: null, objective: 'rest' }, ['plan', 'objective'])).not.toBe(
      textHash({ plan: 'rest' }, ['plan', 'objective']),
    );
  });
});
