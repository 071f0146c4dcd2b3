import { describe, expect, it } from '@jest/globals';
import { mayRepeat } from './may-repeat.js';

const envelope = (op: string, fields: object = {}) => ({ op, requestId: 'r', ...fields });
const repeatable = { key: 'k', hash: 'h' };

describe('a request that a service may get twice', () => {
  it.each(['query', 'subquery', 'read-function', 'gateway-state', 'personal-token'])(
    'is a read: %s',
    (op) => {
      expect(mayRepeat(envelope(op))).toBe(true);
    },
  );

  it.each(['command', 'write-function'])('is a write with an Idempotency-Key: %s', (op) => {
    expect(mayRepeat(envelope(op, { repeatable }))).toBe(true);
  });

  it.each(['command', 'write-function', 'account', 'export-work'])('is no other: %s', (op) => {
    expect(mayRepeat(envelope(op))).toBe(false);
  });
});
