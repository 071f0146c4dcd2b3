import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth, eventually, newPractice, ownStack, readStatus, signIn, wireTo } from '@practice/testing';
import type { OwnStack, Wire } from '@practice/testing';

type Process = Awaited<ReturnType<OwnStack['start']>>;

let own: OwnStack;
let wire: Wire;
let identity: Process;
let gateway: Process;
/** A second gateway whose connection to NATS can be cut. */
let cuttable: Process;

beforeAll(async () => {
  own = await ownStack();
  wire = await wireTo(own.natsUrl('gateway'));
  [identity, gateway, cuttable] = await Promise.all([
    own.start('identity'),
    own.start('gateway'),
    own.start('gateway', { NATS_URL: wire.url }),
    own.start('scheduling'),
  ]);
}, 120_000);
afterAll(async () => {
  await wire.close();
  await own.stop();
});

describe('a gateway that was cut off from the bus', () => {
  it('refuses sessions that ended meanwhile', async () => {
    const { token } = await newPractice(gateway.origin);
    expect(await readStatus(token, cuttable.origin)).toBe(200);
    wire.cut();
    expect((await auth('POST', 'logout', { token, origin: gateway.origin })).status).toBe(204);
    const seen: number[] = [];
    await eventually('it answers again', async () => {
      seen.push(await readStatus(token, cuttable.origin));
      return seen.at(-1) !== 503;
    });
    expect(seen.filter((status) => status !== 503)).toEqual([401]);
  });
});

describe('while the identity service is unavailable', () => {
  it('signed-in callers go on, sign-in is 503, and a gateway without fresh state accepts no token', async () => {
    const practice = await newPractice(gateway.origin);
    expect(await readStatus(practice.token, cuttable.origin)).toBe(200);
    await identity.stop();

    for (const { origin } of [gateway, cuttable]) expect(await readStatus(practice.token, origin)).toBe(200);
    const refused = await signIn(practice, gateway.origin);
    expect(refused).toMatchObject({
      status: 503,
      json: { error_code: 'PM503', details: 'Retry after 1 second.' },
    });
    expect(refused.headers.get('retry-after')).toBe('1');

    wire.cut();
    const ready = async (): Promise<number> => (await fetch(`${cuttable.origin}/readyz`)).status;
    await eventually('the gateway is not ready', async () => (await ready()) === 503);
    expect(await readStatus(practice.token, cuttable.origin)).toBe(503);
    expect(await readStatus(practice.token, gateway.origin)).toBe(200);

    identity = await own.start('identity');
    await eventually('the gateway is ready', async () => (await ready()) === 200);
    expect(await readStatus(practice.token, cuttable.origin)).toBe(200);
    expect((await signIn(practice, gateway.origin)).status).toBe(200);
  }, 60_000);
});
