import { describe, expect, it } from '@jest/globals';
import { allSteps, changeIdOf } from '@practice/core';
import { column, resource, type Resource, type Row } from '@practice/resource';
import { standing } from './chosen-events.js';
import type { LoggedEvent } from './logged-events.js';
import { restoring } from '../engine/restoring.js';
import { stepsBack, takeBack, type Outcome, type State } from './steps.js';

const lamps = resource({
  name: 'lamps',
  service: 'houses',
  aggregate: 'lamp',
  description: '',
  columns: {
    watts: column.integer({ default: 40 }),
    room: column.text({}),
    fuse: column.integer({ internal: true }),
    shade_id: column.uuid({ references: 'shades' }),
    colour: column.text({ readOnly: true, copies: ['shade_id.colour'] }),
    lumens: column.integer({ readOnly: true }),
  },
  events: {
    LampLit: 'created',
    LampMoved: ['room'],
    LampShaded: ['shade_id', 'colour', 'lumens'],
    LampChanged: {
      shape: ['watts'],
      version: 2,
      upcast: { 1: ({ power }: { power?: number }) => ({ watts: power }) },
    },
    LampGone: 'deleted',
  },
}) as unknown as Resource;

const at = '2026-05-01T08:00:00+00:00';
const lamp = (but: Row = {}): Row => ({
  ...{ id: 'lamp', therapist_id: 'p', watts: 40, room: null, fuse: null, shade_id: null, colour: null },
  ...{ lumens: null, created_at: at, updated_at: at },
  ...but,
});

interface Happened extends Partial<Omit<LoggedEvent, 'metadata'>> {
  readonly change?: number;
  readonly undoes?: number;
  readonly by?: string;
}

const id = (position: number): string => changeIdOf('houses', position);

/** An event. It is a change of its own unless it names a change. */
function event({ change, undoes, by = 'ann', position = 1, ...given }: Happened): LoggedEvent {
  return {
    ...{ aggregate: 'lamp', streamId: 'lamp', version: 1, type: 'LampMoved', schemaVersion: 1 },
    ...{ data: {}, previous: null, recordedAt: at, position, erased: false },
    ...given,
    metadata: {
      ...{ eventId: '', requestId: '', correlationId: '', changeId: id(change ?? position) },
      actor: { kind: 'user', id: by, name: by },
      ...(undoes === undefined ? {} : { undoes: id(undoes) }),
    },
  };
}

const moved = (position: number, from: string | null, to: string): LoggedEvent =>
  event({ position, data: { room: to }, previous: { room: from } });
const lit = event({ position: 1, type: 'LampLit', data: lamp() });
const gone = event({ position: 9, type: 'LampGone', previous: lamp({ room: 'hall', attic: 1 }) });

const steps = (...events: readonly LoggedEvent[]) => allSteps(stepsBack(events, () => lamps));
const after = (given: LoggedEvent, state: State, isForced = false): Outcome =>
  takeBack(steps(given)[0] as never, state, isForced);
const change = (changes: Row): object => ({ command: { kind: 'change', changes, isUndo: true } });

describe('a change that is taken back', () => {
  it('sets back the columns that still have its values', () => {
    expect(after(moved(2, null, 'hall'), lamp({ room: 'hall', watts: 60 }))).toMatchObject(
      change({ room: null }),
    );
  });

  it('conflicts with a later value, unless the undo is forced', () => {
    const state = lamp({ room: 'attic' });
    expect(after(moved(2, null, 'hall'), state)).toEqual({ kind: 'conflict', columns: ['room'] });
    expect(after(moved(2, null, 'hall'), state, true)).toMatchObject(change({ room: null }));
  });

  it('sets back what was copied with a reference, but no other value that callers cannot change', () => {
    const red = { shade_id: 'red', colour: 'red', lumens: 5 };
    const none = { shade_id: null, colour: null };
    const shaded = event({ type: 'LampShaded', data: red, previous: { ...none, lumens: 9 } });
    const next = lamp({ ...none, lumens: 7 });
    expect(after(shaded, lamp({ ...red, lumens: 7 }))).toEqual({ kind: 'command', next, ...change(none) });
    const faded = lamp({ ...red, colour: 'pink' });
    expect(after(shaded, faded)).toEqual({ kind: 'conflict', columns: ['colour'] });
  });

  it('of a deleted record conflicts', () => {
    expect(after(moved(2, null, 'hall'), null, true)).toEqual({ kind: 'conflict', columns: [] });
  });

  it('in an earlier version of its event is read in the current version', () => {
    const old = event({ type: 'LampChanged', data: { power: 60 }, previous: { power: 25 } });
    expect(after(old, lamp({ watts: 60 }))).toMatchObject(change({ watts: 25 }));
  });

  it('is one step if several events of it follow each other', () => {
    const brighter = event({
      ...{ type: 'LampChanged', schemaVersion: 2, position: 3, change: 2 },
      ...{ data: { watts: 60 }, previous: { watts: 40 } },
    });
    const both = steps(brighter, moved(2, null, 'hall'));
    expect(both).toMatchObject([{ given: { watts: 60, room: 'hall' }, previous: { watts: 40, room: null } }]);
    expect(steps(moved(3, 'hall', 'attic'), moved(2, null, 'hall'))).toHaveLength(2);
  });
});

describe('a creation that is taken back', () => {
  it('deletes the record as it was created, whatever the rules have set in internal columns', () => {
    expect(after(lit, lamp({ fuse: 7, updated_at: 'later' }))).toMatchObject({ command: { kind: 'delete' } });
  });

  it('conflicts with each later value, unless the undo is forced', () => {
    const state = lamp({ room: 'hall', watts: 60 });
    expect(after(lit, state)).toEqual({ kind: 'conflict', columns: ['watts', 'room'] });
    expect(after(lit, state, true)).toMatchObject({ command: { kind: 'delete' } });
    expect(after(lit, null, true)).toEqual({ kind: 'nothing' });
  });

  it('may itself be the work of an undo', () => {
    const back = event({ position: 4, type: 'LampRestored', data: lamp() });
    expect(after(back, lamp())).toMatchObject({ command: { kind: 'delete' } });
  });
});

describe('a deletion that is taken back', () => {
  it('creates the record as it was, without columns that no longer exist', () => {
    expect(after(gone, null)).toMatchObject({ command: { kind: 'create', record: lamp({ room: 'hall' }) } });
    expect(JSON.stringify(after(gone, null))).not.toContain('attic');
  });

  it('conflicts with a record that was created again', () => {
    expect(after(gone, lamp())).toEqual({ kind: 'conflict', columns: [] });
    expect(after(gone, lamp(), true)).toMatchObject(change({ room: 'hall' }));
  });
});

describe('the events of an actor', () => {
  const by = { id: 'ann', name: null, oauthClientId: null, since: at, until: null };
  const positions = (...events: readonly LoggedEvent[]): number[] =>
    standing(events, by).map(({ position }) => position);
  const one = (position: number, given: Happened = {}): LoggedEvent => event({ position, ...given });

  it('are by this actor', () => {
    expect(positions(one(2, { by: 'bo' }), one(1))).toEqual([1]);
  });

  it('are left out if an undo has taken them back, unless that undo was taken back', () => {
    expect(positions(one(2, { by: 'bo', undoes: 1 }), one(1))).toEqual([]);
    expect(positions(one(3, { by: 'bo', undoes: 2 }), one(2, { by: 'bo', undoes: 1 }), one(1))).toEqual([1]);
  });

  it('are left out together with the actor’s undos of them, but an undo of another actor’s change is included', () => {
    expect(positions(one(2, { undoes: 1 }), one(1))).toEqual([]);
    expect(positions(one(2, { undoes: 1 }), one(1, { by: 'bo' }))).toEqual([2]);
  });

  it('are left out if they followed an undo of an own change, and included if they followed another undo', () => {
    const followed = (position: number, change: number) => one(position, { change });
    const allocated = [one(1), followed(2, 1), followed(3, 1)];
    const undone = [followed(4, 4), followed(5, 4), one(6, { change: 4, undoes: 1 })];
    const redone = [one(7, { undoes: 4 }), followed(8, 7), followed(9, 7)];
    expect(positions(...[...allocated, ...undone, ...redone].reverse())).toEqual([3, 2, 1]);
    expect(positions(...[...allocated, ...undone].reverse())).toEqual([]);
    const ofBo = one(1, { by: 'bo' });
    expect(positions(...[ofBo, one(2, { undoes: 1 }), followed(3, 2)].reverse())).toEqual([3, 2]);
  });

  it('follow an undo of several changes only if none of these is an own one', () => {
    const mixed = [one(3, { undoes: 2 }), one(4, { change: 3 }), one(5, { change: 3, undoes: 1 })];
    expect(positions(...[one(1, { by: 'bo' }), one(2), ...mixed].reverse())).toEqual([5]);
  });
});

describe('the decider of an undo', () => {
  const decided = (data: Row, type = 'LampMoved') =>
    restoring({ definition: lamps, lookups: () => [], decide: () => [{ type, data }] });
  const context = {} as never;

  it('keeps the values of the log, and lets rules set internal columns', () => {
    const events = decided({ room: 'hall', watts: 1, fuse: 7 }).decide(
      { kind: 'change', changes: { room: 'hall' }, isUndo: true },
      lamp(),
      context,
    );
    expect(events).toEqual([{ type: 'LampMoved', data: { room: 'hall', fuse: 7 } }]);
  });

  it('brings a record back by an event of its own', () => {
    const events = decided(lamp({ room: 'computed', fuse: 7 }), 'LampLit').decide(
      { kind: 'create', record: lamp({ fuse: 1 }) },
      null,
      context,
    );
    expect(events).toEqual([{ type: 'LampRestored', data: lamp({ fuse: 7 }) }]);
  });

  it('keeps the values of the rules in columns that follow other records', () => {
    const computed = [{ type: 'LampLit', data: lamp({ room: 'present', watts: 1 }) }];
    const events = restoring({
      ...{ definition: lamps, follows: ['room'], lookups: () => [], decide: () => computed },
    }).decide({ kind: 'create', record: lamp({ room: 'old' }), isUndo: true }, null, context);
    expect(events).toEqual([{ type: 'LampRestored', data: lamp({ room: 'present' }) }]);
  });
});
