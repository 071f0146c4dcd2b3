import { describe, expect, it } from '@jest/globals';
import { practiceRoles } from '@practice/core';
import { column } from './column.js';
import { resource } from './resource.js';
import { accessOf, rolesAllowed, rolesSeeing, type RoleRules } from './roles.js';

const rooms = (roles?: RoleRules) =>
  resource({
    name: 'rooms',
    service: 'houses',
    aggregate: 'room',
    description: '',
    columns: {
      name: column.text({}),
      floor: column.integer({}),
      place: column.integer({ default: 0, internal: true }),
    },
    events: { RoomAdded: 'created' },
    ...(roles !== undefined && { roles: roles as never }),
  });

const levels = (definition: ReturnType<typeof rooms>): string[] =>
  practiceRoles.map((role) => `${role} ${accessOf(definition, role).may}`);

describe('role rules', () => {
  it('give front_desk and billing no right to a new resource by default', () => {
    const defaults = [
      'owner delete',
      'therapist delete',
      'front_desk none',
      'billing none',
      'read_only read',
    ];
    expect(levels(rooms())).toEqual(defaults);
  });

  it('show read_only the same as therapist, and no more', () => {
    const kept = rooms({ therapist: 'none' });
    expect(accessOf(kept, 'read_only').may).toBe('none');
    const partly = rooms({ therapist: { may: 'delete', shows: ['name', 'created_at'] } });
    expect(accessOf(partly, 'read_only')).toEqual({
      may: 'read',
      hidden: new Set(['floor', 'updated_at', 'version']),
    });
    expect(accessOf(rooms({ therapist: 'none', read_only: 'read' }), 'read_only').may).toBe('read');
  });

  it('show only the listed columns, and neither the time of the last change nor the version', () => {
    const showing = rooms({ billing: { may: 'read', shows: ['name'] } });
    expect([...accessOf(showing, 'billing').hidden]).toEqual([
      'floor',
      'created_at',
      'updated_at',
      'version',
    ]);
    expect(rolesSeeing(showing, 'floor')).toEqual(['owner', 'therapist', 'read_only']);
    expect(rolesAllowed(showing, 'write')).toEqual(['owner', 'therapist']);
  });

  it('give an unknown role no right', () => {
    expect(accessOf(rooms(), 'admin' as never).may).toBe('none');
  });

  it('are checked when a resource is defined', () => {
    expect(() => rooms({ billing: { may: 'read', shows: ['title'] } })).toThrow(
      'rooms.title: unknown column',
    );
    expect(() => rooms({ billing: { may: 'read', shows: ['id'] } })).toThrow('rooms.id: every role');
    expect(() => rooms({ billing: { may: 'read', shows: ['place'] } })).toThrow('rooms.place: no role');
    expect(() => rooms({ billing: { may: 'read', shows: ['updated_at'] } })).toThrow(
      'rooms.updated_at: it would',
    );
  });
});
