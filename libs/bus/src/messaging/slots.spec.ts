import { describe, expect, it } from '@jest/globals';
import { createSlots } from './slots.js';

describe('slots', () => {
  it('gives every item its own index, and reuses first the index that was freed last', () => {
    const slots = createSlots<{ name: string }>();
    const [a, b] = [slots.put({ name: 'a' }), slots.put({ name: 'b' })];
    expect(slots.get(a)).toEqual({ name: 'a' });
    slots.free(a);
    expect(slots.get(a)).toBeUndefined();
    expect(slots.put({ name: 'c' })).toBe(a);
    expect(slots.get(b)).toEqual({ name: 'b' });
    expect(slots.size()).toBe(2);
  });

  it('frees an index only once when it is freed twice', () => {
    const slots = createSlots<object>();
    const place = slots.put({});
    slots.free(place);
    slots.free(place);
    slots.free(99);
    expect(slots.size()).toBe(0);
    expect(slots.put({})).not.toBe(slots.put({}));
  });

  it('visits the stored items', () => {
    const slots = createSlots<{ name: string }>();
    slots.free(slots.put({ name: 'gone' }));
    slots.put({ name: 'here' });
    const seen: string[] = [];
    slots.forEach(({ name }) => seen.push(name));
    expect(seen).toEqual(['here']);
  });
});
