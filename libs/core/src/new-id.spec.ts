import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';
import { newId } from './new-id.js';

describe('new ids', () => {
  const ids = Array.from({ length: 20_000 }, () => newId());

  it('are UUIDs of version 7 with the current time', () => {
    const id = newId();
    expect([validate(id), version(id)]).toEqual([true, 7]);
    const milliseconds = parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(Math.abs(milliseconds - Date.now())).toBeLessThan(60_000);
  });

  it('are all different, and in the order of their creation', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  it('end in random bytes that no other id has', () => {
    expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length);
  });
});
