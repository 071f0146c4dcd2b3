import { describe, expect, it } from '@jest/globals';
import { practiceRoles, type PracticeRole } from '@practice/core';
import { allScopes, isAskedApart, isScope, scopesBeyond } from './scopes.js';

/** This list is written by hand, so that a changed right of a role must also be changed here. */
const beyond: Readonly<Record<PracticeRole, readonly string[]>> = {
  owner: ['rpc:no_such_function'],
  therapist: ['expenses:read', 'memberships:write', 'rpc:no_such_function'],
  front_desk: [
    'expenses:read',
    'sessions:read',
    'service_menu:write',
    'memberships:write',
    'rpc:no_such_function',
  ],
  billing: [
    'sessions:read',
    'clients:write',
    'appointments:write',
    'service_menu:write',
    'memberships:write',
    'rpc:no_such_function',
  ],
  read_only: [
    '*:write',
    'expenses:read',
    'clients:write',
    'appointments:write',
    'service_menu:write',
    'memberships:write',
    'rpc:no_such_function',
  ],
};

const all = [
  ...['*:read', '*:write', 'expenses:read', 'sessions:read', 'clients:read', 'clients:write'],
  ...['appointments:write', 'service_menu:write', 'memberships:write', 'rpc:current_identity'],
  'rpc:no_such_function',
];

describe('scopes beyond a role', () => {
  it.each(practiceRoles)('of %s', (role) => {
    expect(scopesBeyond(role, all).sort()).toEqual([...beyond[role]].sort());
  });
});

describe('a scope', () => {
  it('is in the list of all scopes once', () => {
    expect(allScopes).toEqual(
      expect.arrayContaining(['*:read', 'access_log:read', 'oauth_grants:write', 'rpc:undo']),
    );
    expect([new Set(allScopes).size, allScopes.every(isScope)]).toEqual([allScopes.length, true]);
  });

  it.each(['clients:read', 'clients:write', '*:read', '*:write', 'rpc:current_identity'])('is %s', (text) => {
    expect(isScope(text)).toBe(true);
  });

  it.each([
    ...[
      'rpc:no_such_function',
      'rpc:toString',
      'rpc:*',
      'rpc:',
      'no_such_resource:read',
      'clients_history:read',
      'access_log:write',
      'rpc:create_token',
    ],
    ...['clients', 'clients:delete', 'clients:read ', '*', '', 7, null],
  ])('is not %p', (value) => {
    expect(isScope(value)).toBe(false);
  });
});

it('the scopes of session notes, and of everything, need separate consent', () => {
  const notes = ['sessions', 'session_addenda', 'private_notes', '*'].flatMap((name) => [
    `${name}:read`,
    `${name}:write`,
  ]);
  expect(new Set(allScopes.filter(isAskedApart))).toEqual(new Set([...notes, 'rpc:session_drafts']));
});
