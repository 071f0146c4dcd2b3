import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { processTime } from '@practice/core';
import { keyEncryptionOf } from './key-encryption.js';
import type { NewEvent } from './new-event.js';
import { makeKey, PersonalKeys } from './practice-keys.js';

it('keys of many clients are made in turn with the work of other practices', async () => {
  const keys = new PersonalKeys('clients', keyEncryptionOf('a key-encryption key of the clients service'));
  const events = Array.from({ length: 5_000 }, () => {
    const client = randomUUID();
    return {
      data: { name: 'Ada' },
      personal: { columns: ['name'], clients: { data: client, previous: client } },
    };
  });
  const practice = { therapistId: randomUUID(), erasures: 0, events: events as unknown as NewEvent[] };
  const ended: string[] = [];
  let other: Promise<unknown> | undefined;
  const made = await keys.forEvents([practice], () => {
    // It arrives once the keys are being made.
    other = new Promise((resolve) => setImmediate(resolve))
      .then(() => processTime.run({ therapistId: randomUUID() }, [][Symbol.iterator]()))
      .then(() => ended.push('other'));
    return Promise.resolve([[]]);
  });
  ended.push('keys');
  await other;
  expect(ended).toEqual(['other', 'keys']);
  expect(made.statements).toHaveLength(1);
});

it('the key of a client who is erased while it is read is not used afterwards', async () => {
  const keyEncryption = keyEncryptionOf('a key-encryption key of the clients service');
  const keys = new PersonalKeys('clients', keyEncryption);
  const [therapistId, clientId] = [randomUUID(), randomUUID()];
  const event = {
    data: { name: 'Ada' },
    personal: { columns: ['name'], clients: { data: clientId, previous: clientId } },
  } as unknown as NewEvent;
  const stored = [['1', makeKey('clients', keyEncryption, { therapistId, clientId })]];
  const write = () =>
    keys.forEvents([{ therapistId, erasures: 1, events: [event] }], () => Promise.resolve([[['1', null]]]));
  await keys.forClients({ therapistId, clients: [clientId] }, async () => {
    await expect(write()).rejects.toMatchObject({ problem: { code: 'PM016' } });
    return stored;
  });
  await expect(write()).rejects.toMatchObject({ problem: { code: 'PM016' } });
});
