import { describe, expect, it } from '@jest/globals';
import { messageOf } from './message-of.js';

describe('the message of a thrown value', () => {
  it.each([
    ['an error', new RangeError('too far'), 'too far'],
    ['an error without a message', new RangeError(), 'RangeError'],
    ['several errors', new AggregateError([new Error('one'), new Error('two')]), 'one; two'],
    ['an object with a message', { code: 503, message: 'no responders' }, 'no responders'],
    ['another object', { code: 503, token: 'secret' }, 'an object with code, token'],
    ['an empty object', {}, 'an object with no properties'],
    ['a text', 'gone', 'gone'],
    ['nothing', undefined, 'undefined'],
  ])('is found for %s', (_, thrown, message) => {
    expect(messageOf(thrown)).toBe(message);
  });
});
