import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Authentication, BearerRequest, Verified } from '@practice/authentication';
import { type PracticeRole, type Problem, problemFor, Rejection } from '@practice/core';
import { eventually } from '@practice/testing';
import { Caller } from './caller.js';

const expired = problemFor('PGRST303', { message: 'JWT expired' });
const [unavailable, tooMany] = [problemFor('PM503'), problemFor('PM004')];
const request = { method: 'GET', headers: { authorization: 'Bearer a' }, ip: '', id: '' };

/** A short check, which the specs can wait for. */
const CHECK_MS = 40;

let [problem, role, checks]: [Problem | undefined, PracticeRole, number] = [undefined, 'owner', 0];
let lasts: number;
let caller: Caller;
let heard: string[];
const watchers = new Set<() => void>();

const authentication = {
  verify({ id }: BearerRequest): Promise<Verified> {
    checks += 1;
    const identity = { therapistId: 'p', userId: 'p', practiceRole: role, ...(id !== '' && { tokenId: id }) };
    return problem === undefined
      ? Promise.resolve({ identity, expiresAt: Date.now() + lasts })
      : Promise.reject(new Rejection(problem));
  },
  watch(_: Verified, onEnd: () => void) {
    watchers.add(onEnd);
    return () => void watchers.delete(onEnd);
  },
} as unknown as Authentication;

/** Calls the watchers, because the token may no longer be valid. */
function signal(): void {
  for (const onEnd of [...watchers]) if (watchers.delete(onEnd)) onEnd();
}

const watch = (watched = caller): void =>
  watched.watch({
    ended: ({ message }) => heard.push(message),
    changed: ({ practiceRole }) => heard.push(practiceRole),
    failed: (error) => heard.push(String(error)),
  });

beforeEach(async () => {
  [problem, role, checks, lasts, heard] = [undefined, 'owner', 0, CHECK_MS, []];
  caller = await Caller.of(authentication, request);
});
afterEach(() => caller.stop());

describe('a caller', () => {
  it('is checked again at the end of each check, and lasts as long as the token', async () => {
    watch();
    await pause(4 * CHECK_MS);
    expect(checks).toBeGreaterThan(2);
    expect(heard).toEqual([]);
    problem = expired;
    await pause(2 * CHECK_MS);
    expect(heard).toEqual(['JWT expired']);
  });

  it('ends if its token has ended between the check and the watch', async () => {
    problem = expired;
    watch();
    await pause(0);
    expect(heard).toEqual(['JWT expired']);
  });

  it('hears of a changed role, and is watched further', async () => {
    lasts = 60_000;
    watch();
    await pause(0);
    role = 'billing';
    signal();
    await pause(0);
    expect(heard).toEqual(['billing']);
    problem = expired;
    signal();
    await pause(0);
    expect(heard).toEqual(['billing', 'JWT expired']);
  });

  it('lasts to the end of its check while the check cannot be repeated, and an access token has then expired', async () => {
    lasts = 2_000;
    const ofAccessToken = await Caller.of(authentication, request);
    caller = await Caller.of(authentication, { ...request, id: 'personal token' });
    for (const one of [ofAccessToken, caller]) watch(one);
    await pause(0);
    for (const cause of [tooMany, unavailable]) {
      problem = cause;
      signal();
      await pause(CHECK_MS);
      expect(heard).toEqual([]);
    }
    await eventually('both have ended', () => heard.length > 1);
    expect(heard).toEqual(['JWT expired', unavailable.message]);
    ofAccessToken.stop();
  });

  it('is checked again if its token could not be checked', async () => {
    problem = tooMany;
    const checked = Caller.whenChecked(authentication, request, () => true);
    await pause(0);
    problem = undefined;
    expect(await checked).toBeInstanceOf(Caller);
  });

  it('hears nothing once it is stopped', async () => {
    watch();
    caller.stop();
    [problem, role] = [expired, 'billing'];
    signal();
    await pause(2 * CHECK_MS);
    expect([heard, watchers.size]).toEqual([[], 0]);
  });
});
