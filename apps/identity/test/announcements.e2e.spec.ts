// A write that removes rights gets its response when every process that checks tokens knows the change.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IDENTITY_CHANGES, IDENTITY_CHANGES_KNOWN } from '@practice/contracts';
import type { AnnouncedChange, KnownChange } from '@practice/contracts';
import { connect, type Connection } from '@practice/bus';
import { eventually, find, memberOf, newPractice, patch, stack, type Practice } from '@practice/testing';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

let connection: Connection;
let practice: Practice;
const announced: AnnouncedChange[] = [];
/** A gateway whose confirmations the spec sends. */
const gateway = randomUUID();
const say = (known: Omit<KnownChange, 'process'>): void =>
  connection.nats.publish(IDENTITY_CHANGES_KNOWN, JSON.stringify({ process: gateway, ...known }));

beforeAll(async () => {
  connection = await connect({ url: stack().natsUrl('gateway'), name: 'announcements spec', logger: silent });
  connection.nats.subscribe(IDENTITY_CHANGES, {
    callback: (error, message) => void (error ?? announced.push(message.json<AnnouncedChange>())),
  });
  practice = await newPractice();
});
afterAll(async () => {
  say({ ends: true });
  await connection.close();
});

/** Changes the role of a member. @returns the id of the announcement, and whether the response has arrived */
async function roleChanged() {
  const { membershipId: id } = await memberOf(practice, 'therapist');
  const before = announced.length;
  say({});
  await connection.nats.flush();
  const outcome = { isAnswered: false };
  const begunAt = performance.now();
  const done = patch(practice, 'memberships', { id, role: 'billing' }).then(() => {
    outcome.isAnswered = true;
  });
  const change = await eventually('the change is announced', () =>
    announced.slice(before).find((one) => one.type === 'MemberChanged' && one.member.role === 'billing'),
  );
  return { outcome, done, begunAt, id: change.announcement as string };
}

describe('the response to a change of a role', () => {
  it('waits until a gateway has confirmed the change', async () => {
    let isAnswered = true;
    // The wait ends after a second. If a busy machine needs so long for the read, the attempt proves nothing.
    for (let tries = 0, isLate = true; tries < 10 && isAnswered && isLate; tries += 1) {
      const { outcome, done, id, begunAt } = await roleChanged();
      // Without the wait, the response to the change would arrive before the response to this read.
      await find(practice, 'clients', randomUUID());
      ({ isAnswered } = outcome);
      isLate = performance.now() - begunAt > 900;
      say({ change: id });
      await done;
    }
    expect(isAnswered).toBe(false);
  });

  it('does not wait for a gateway that announces its end', async () => {
    const { done } = await roleChanged();
    say({ ends: true });
    await done;
  });

  it('also arrives while a gateway is silent', async () => {
    const { done } = await roleChanged();
    await done;
  });
});
