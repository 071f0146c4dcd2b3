import { describe, expect, it } from '@jest/globals';
import { LoadedContext } from './lookup-context.js';

const row = (id: string, day: string) => ({ id, day });

function loaded(): LoadedContext {
  const context = new LoadedContext();
  context.load({ resource: 'visits', column: 'day', values: ['mon', 'tue'] }, [
    row('a', 'mon'),
    row('b', 'tue'),
  ]);
  return context;
}

const ids = (context: LoadedContext, day: string): unknown[] =>
  context.rows('visits', 'day', day).map(({ id }) => id);

describe('looked-up rows', () => {
  it('move with the value that they were looked up by', () => {
    const context = loaded();
    context.replace('visits', 'a', row('a', 'tue'));
    expect([ids(context, 'mon'), ids(context, 'tue')]).toEqual([[], ['b', 'a']]);
    context.replace('visits', 'a', row('a', 'sun'));
    expect(ids(context, 'tue')).toEqual(['b']);
    context.replace('visits', 'a', row('a', 'mon'));
    expect(ids(context, 'mon')).toEqual(['a']);
  });

  it('are gone once they are deleted, also after a lookup that still finds them', () => {
    const context = loaded();
    context.replace('visits', 'b', null);
    expect(ids(context, 'tue')).toEqual([]);
    context.load({ resource: 'visits', column: 'day', values: ['tue'] }, [row('b', 'tue')]);
    context.replace('visits', 'b', null);
    expect(ids(context, 'tue')).toEqual([]);
  });

  it('are found by one value only, also when a later lookup finds an older state', () => {
    const context = loaded();
    context.replace('visits', 'a', row('a', 'tue'));
    context.load({ resource: 'visits', column: 'day', values: ['mon'] }, [row('a', 'mon')]);
    context.replace('visits', 'a', row('a', 'tue'));
    expect([ids(context, 'mon'), ids(context, 'tue')]).toEqual([[], ['b', 'a']]);
  });

  it('that were not looked up cannot be read', () => {
    expect(() => loaded().rows('visits', 'day', 'wed')).toThrow('visits.day was not looked up');
  });
});
