import { describe, expect, it } from '@jest/globals';
import { outcomeOf, type Identity } from '@practice/core';
import { column } from './column.js';
import type { LookupContext } from './decider.js';
import { deciderOf } from './decider-of.js';
import { resource } from './resource.js';

const members = { resource: 'members', column: 'user_id', where: { status: ['active'] } } as const;
const decider = deciderOf(
  resource({
    ...{ name: 'letters', service: 'post', aggregate: 'letter', description: '' },
    columns: {
      writer: column.uuid({ readOnly: true, caller: {} }),
      sender: column.uuid({ readOnly: true, caller: { ownersChoose: members } }),
    },
    events: { LetterWritten: 'created', LetterBurnt: 'deleted' },
  }),
);
const rows = (_: object, __: string, user: string) => [{ status: user === 'bo' ? 'active' : 'ended' }];

function written(record: object, practiceRole: Identity['practiceRole'] = 'therapist'): unknown {
  const context = { rows, by: { userId: 'ada', practiceRole } } as unknown as LookupContext;
  const command = { kind: 'create', record: { writer: null, sender: null, ...record } } as never;
  return outcomeOf(() => decider.decide(command, null, context)[0]?.data);
}

describe('a column for the caller', () => {
  it('is filled with the caller, whom the request may also name', () => {
    expect(written({})).toEqual({ writer: 'ada', sender: 'ada' });
    expect(written({ writer: 'ada' })).toEqual({ writer: 'ada', sender: 'ada' });
  });

  it('takes another person only if an owner chooses an active member', () => {
    expect(written({ writer: 'bo' }, 'owner')).toMatchObject({ code: '42501' });
    expect(written({ sender: 'bo' })).toMatchObject({ code: '42501' });
    expect(written({ sender: 'bo' }, 'owner')).toEqual({ writer: 'ada', sender: 'bo' });
    expect(written({ sender: 'cy' }, 'owner')).toMatchObject({ code: '23503' });
  });
});
