import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IDENTITY_CHANGES, type IdentityChange } from '@practice/contracts';
import type { Identity, PracticeRole } from '@practice/core';
import { connect, createRequester, type Connection, type Requester } from '@practice/bus';
import type { Logger } from '@practice/process';
import { eventually, stack, wireTo, type Wire } from '@practice/testing';
import { IdentityState } from './identity-state.js';
import { VerifiedTokens } from './verified-tokens.js';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

let wire: Wire;
let connection: Connection;
let requester: Requester;

beforeEach(async () => {
  wire = await wireTo(stack().natsUrl('gateway'));
  connection = await connect({ url: wire.url, name: 'identity state spec', logger: silent });
  requester = createRequester({ connection, user: 'gateway', timeoutMs: 60_000 });
});
afterEach(async () => {
  requester.close();
  await connection.close();
  await wire.close();
});

/** A requester that holds back replies until `release` is called. */
function slow(): {
  readonly requester: Requester;
  readonly asked: Promise<void>;
  readonly release: () => void;
} {
  let [release, began] = [(): void => {}, (): void => {}];
  const released = new Promise<void>((resolve) => (release = resolve));
  const asked = new Promise<void>((resolve) => (began = resolve));
  const request: Requester['request'] = async (...question) => {
    const reply = await requester.request(...question);
    began();
    await released;
    return reply;
  };
  return { requester: { ...requester, request }, asked, release };
}

describe('the state of the identity service', () => {
  it('is not ready with a state that was requested before the connection was lost', async () => {
    const { asked, release, requester: slowly } = slow();
    const logger = silent as unknown as Logger;
    const state = new IdentityState({
      connection,
      requester: slowly,
      verified: new VerifiedTokens(),
      logger,
    });
    const stop = state.start();
    const ready = state.ready().then(() => state.isFresh);
    await asked;
    const restored = new Promise<void>((resolve) => connection.onUp(resolve));
    const lost = new Promise<void>((resolve) => connection.onDown(resolve));
    wire.cut();
    await lost;
    wire.restore();
    await restored;
    release();
    expect(await ready).toBe(true);
    stop();
  });

  it('is loaded again if a second change of a member is announced', async () => {
    const identity = await connect({ url: stack().natsUrl('identity'), name: 'announcing', logger: silent });
    const state = new IdentityState({
      connection,
      requester,
      verified: new VerifiedTokens(),
      logger: silent as unknown as Logger,
    });
    const stop = state.start();
    await state.ready();
    const people = [randomUUID(), randomUUID()].map((id): Identity => ({
      userId: id,
      therapistId: id,
      practiceRole: 'owner',
    }));
    const announce = async (role: PracticeRole): Promise<void> => {
      for (const { userId, therapistId } of people) {
        const change: IdentityChange = { type: 'MemberChanged', member: { userId, therapistId, role } };
        identity.nats.publish(IDENTITY_CHANGES, JSON.stringify(change));
      }
      await eventually(`${role} is known`, () =>
        people.every((one) => state.members.current(one)?.practiceRole === role),
      );
    };
    await announce('billing');
    await announce('therapist');
    // The database does not have the announced roles, so after the load the claims of the token count again.
    await eventually('the state is loaded again', () =>
      people.every((one) => state.members.current(one) === one),
    );
    stop();
    await identity.close();
  });
});
