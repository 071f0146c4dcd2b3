import { describe, expect, it } from '@jest/globals';
import { mayRepeat, unanswered } from './requesters.js';

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

  it.each(['command', 'write-function', 'batch'])('is a dry run: %s', (op) => {
    expect(mayRepeat(envelope(op, { isDryRun: true }))).toBe(true);
  });

  it.each(['command', 'write-function', 'account', 'export-work'])('is never %s', (op) => {
    expect(mayRepeat(envelope(op))).toBe(false);
  });
});

describe('a request that was sent and got no reply', () => {
  it.each(['query', 'subquery', 'read-function', 'function-part', 'personal-token'])(
    'may be sent again if it reads: %s',
    (op) => {
      expect(unanswered(envelope(op))).toBeUndefined();
    },
  );

  it.each(['command', 'write-function'])('has an unknown outcome if it writes: %s', (op) => {
    expect(unanswered(envelope(op))).toMatchObject({ status: 504, code: 'PM504' });
    expect(unanswered(envelope(op))).not.toHaveProperty('headers');
    expect(unanswered(envelope(op, { repeatable }))).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '1' },
    });
  });

  it.each(['command', 'write-function', 'batch'])('may be sent again if it is a dry run: %s', (op) => {
    expect(unanswered(envelope(op, { isDryRun: true }))).toBeUndefined();
  });

  it('has an unknown outcome if it changes an account', () => {
    expect(unanswered(envelope('account', { method: 'POST' }))).toMatchObject({ status: 504 });
    expect(unanswered(envelope('account', { method: 'GET' }))).toBeUndefined();
  });
});
