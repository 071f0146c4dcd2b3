import { describe, expect, it } from '@jest/globals';
import { resourcesOf } from '@practice/contracts';
import type { Resource, Row } from '@practice/resource';
import { tablesOf, versionBytes } from './versions.js';

const notes = resourcesOf('clinical-notes').find(({ name }) => name === 'sessions') as Resource;
const users = resourcesOf('identity').find(({ name }) => name === 'users') as Resource;

describe('the size of the version that a write replaces', () => {
  const state = { id: 'x', plan: 'é'.repeat(1000), total: 3, extras: { a: 1 }, notes: null } as Row;

  it('is about the size of the new record', () => {
    const bytes = versionBytes({ resource: notes, state, version: 2 });
    expect(bytes).toBeGreaterThan(2000);
    expect(bytes).toBeLessThan(2100);
  });

  it.each<[string, Parameters<typeof versionBytes>[0]]>([
    ['a creation', { resource: notes, state, version: 1 }],
    ['a deletion, whose event has the record', { resource: notes, state: null, version: 2 }],
    ['a record that callers do not read', { resource: users, state, version: 2 }],
  ])('is 0 for %s', (_, replacing) => {
    expect(versionBytes(replacing)).toBe(0);
  });
});

it('versions of records that callers do not read are not kept', () => {
  expect(tablesOf(notes)).toEqual(['"clinical_notes"."sessions"', '"clinical_notes"."sessions_versions"']);
  expect(tablesOf(users)).toEqual(['"identity"."users"']);
});
