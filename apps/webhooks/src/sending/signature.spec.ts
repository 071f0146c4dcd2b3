import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newKey, secretOf, signedHeaders } from './sender.js';

const body = '{"type":"practice.clients.ClientRegistered.v1","data":{"name":"Zoë"}}';

describe('a signature', () => {
  it('is verified by a library for Standard Webhooks, with either secret', () => {
    const keys = [newKey(), newKey()];
    const headers = signedHeaders({ id: 'one', body, now: Date.now(), keys });
    for (const key of keys)
      expect(new Webhook(secretOf(key)).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secretOf(newKey())).verify(body, headers)).toThrow();
    expect(() => new Webhook(secretOf(keys[0] ?? newKey())).verify(`${body} `, headers)).toThrow();
  });
});
