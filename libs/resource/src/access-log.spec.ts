import { describe, expect, it } from '@jest/globals';
import { ACCESS_LOG, areReadApart, isConfidential } from './access-log.js';
import { catalogOf, methodsOf } from './catalog.js';
import { column } from './column.js';
import { resource, type Resource } from './resource.js';

const made = (name: string, more: object = {}, columns: object = {}): Resource =>
  resource({
    ...{ name, service: 'house', aggregate: name, description: name },
    columns: { name: column.text({}), ...columns },
    events: {
      [`${name}Made`]: 'created',
      [`${name}Changed`]: 'others',
      [`${name}Removed`]: 'deleted',
    } as never,
    ...more,
  }) as unknown as Resource;

const letters = made('letters', { confidential: true });

describe('the access log', () => {
  it('is derived for the service that owns confidential records', () => {
    const { readable, resources } = catalogOf([letters, made('rooms')]);
    const log = readable.get(ACCESS_LOG) as Resource;
    expect([log.service, methodsOf(log)]).toEqual(['house', ['GET', 'HEAD']]);
    expect(resources.has(ACCESS_LOG)).toBe(false);
    expect(
      ['letters', 'letters_history', 'rooms'].map((name) => isConfidential(readable.get(name) as Resource)),
    ).toEqual([true, true, false]);
    expect(catalogOf([made('rooms')]).readable.has(ACCESS_LOG)).toBe(false);
  });

  it('cannot exist for two services', () => {
    const others = made('cards', { confidential: true, service: 'yard' });
    expect(() => catalogOf([letters, others])).toThrow('two services have an access log');
  });

  it('has records of one resource per statement, so confidential records need a statement of their own', () => {
    const [rooms, cards] = [made('rooms'), made('cards', { confidential: true })];
    const history = catalogOf([letters]).readable.get('letters_history') as Resource;
    expect([areReadApart(letters, rooms), areReadApart(letters, cards), areReadApart(rooms, cards)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([areReadApart(letters, history), areReadApart(rooms, made('doors'))]).toEqual([false, false]);
    expect(areReadApart(rooms, made('sheds', { service: 'yard' }))).toBe(true);
  });
});
