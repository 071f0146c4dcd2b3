import { describe, expect, it } from '@jest/globals';
import { VerifiedTokens } from './verified-tokens.js';

const now = Date.parse('2026-05-01T08:00:00Z');
const identity = { therapistId: 'p', userId: 'p', practiceRole: 'owner', sessionId: 's' } as const;
const checked = { identity, expiresAt: now + 1000 };

function trusting(): VerifiedTokens {
  const tokens = new VerifiedTokens();
  tokens.trust(true);
  return tokens;
}

describe('verified tokens', () => {
  it('are cached until they expire', () => {
    const tokens = trusting();
    tokens.remember('Bearer a', checked, tokens.generation);
    expect(tokens.get('Bearer a', now)?.identity).toBe(identity);
    expect(tokens.get('Bearer a', now + 1000)).toBeUndefined();
    expect(tokens.get('Bearer b', now)).toBeUndefined();
  });

  it('are forgotten when their session ends', () => {
    const tokens = trusting();
    tokens.remember('Bearer a', checked, tokens.generation);
    tokens.forgetSession('other');
    expect(tokens.get('Bearer a', now)?.identity).toBe(identity);
    tokens.forgetSession('s');
    expect(tokens.get('Bearer a', now)).toBeUndefined();
  });

  it('are forgotten when the personal token is revoked', () => {
    const tokens = trusting();
    const byToken = { therapistId: 'p', userId: 'p', practiceRole: 'owner', tokenId: 't' } as const;
    tokens.remember('Bearer a', { ...checked, identity: byToken }, tokens.generation);
    expect(tokens.get('Bearer a', now)?.identity).toBe(byToken);
    tokens.forgetSession('t');
    expect(tokens.get('Bearer a', now)).toBeUndefined();
  });

  it('are not cached when a session ended while they were checked', () => {
    const tokens = trusting();
    const { generation } = tokens;
    tokens.forgetSession('s');
    tokens.remember('Bearer a', checked, generation);
    expect(tokens.get('Bearer a', now)).toBeUndefined();
  });

  it('are not cached while messages about ended sessions do not arrive', () => {
    const tokens = trusting();
    tokens.remember('Bearer a', checked, tokens.generation);
    tokens.trust(false);
    expect(tokens.get('Bearer a', now)).toBeUndefined();
    tokens.remember('Bearer a', checked, tokens.generation);
    expect(tokens.get('Bearer a', now)).toBeUndefined();
  });

  it('are limited in number, and the oldest is dropped first', () => {
    const tokens = trusting();
    for (let index = 0; index <= 20_000; index += 1)
      tokens.remember(`Bearer ${index}`, checked, tokens.generation);
    expect(tokens.get('Bearer 0', now)).toBeUndefined();
    expect(tokens.get('Bearer 1', now)?.identity).toBe(identity);
    expect(tokens.get('Bearer 20000', now)?.identity).toBe(identity);
  });

  it('call a watcher once, also if it watches again', () => {
    const tokens = trusting();
    let calls = 0;
    const watch = (): (() => void) =>
      tokens.watch(checked, () => {
        calls += 1;
        if (calls < 10) watch();
      });
    watch();
    tokens.forgetSession('s');
    expect(calls).toBe(1);
    tokens.forgetAll();
    expect(calls).toBe(2);
  });
});
