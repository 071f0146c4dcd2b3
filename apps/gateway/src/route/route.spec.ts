import { describe, expect, it } from '@jest/globals';
import { responseOf } from './route.js';

describe('the response for a service’s reply', () => {
  it('is the reply itself', () => {
    const reply = { status: 200, headers: { 'Content-Type': 'application/json' }, body: Buffer.from('[]') };
    expect(responseOf(reply)).toBe(reply);
  });

  it('also names an error in Proxy-Status', () => {
    const body = Buffer.from('{"code":"PGRST100","message":"…","details":null,"hint":null}');
    expect(responseOf({ status: 400, headers: { a: 'b' }, body }).headers).toEqual({
      a: 'b',
      'Proxy-Status': 'PostgREST; error=PGRST100',
    });
  });
});
