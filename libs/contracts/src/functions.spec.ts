import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { servicesOf } from '@practice/resource';
import { functions } from './function-catalog.js';
import { functionsReference } from './function-reference.js';
import { serviceNames } from './catalog.js';
import { bare } from './testing/markdown.js';

const page = readFileSync(new URL('../../../docs/functions.md', import.meta.url), 'utf8');

describe('the functions', () => {
  it('belong to services, and have names that are valid in a URL and in SQL', () => {
    for (const { name, roles, ...definition } of functions.values()) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{1,40}$/);
      for (const service of servicesOf(definition)) expect(serviceNames).toContain(service);
      expect(roles.length).toBeGreaterThan(0);
    }
  });

  it('have no argument with a name that the dialect reserves', () => {
    // In a body, `limit` is an argument. In a URL, it limits the rows of the response.
    const reserved = ['select', 'columns', 'on_conflict', 'order', 'offset', 'and', 'or', 'apikey'];
    for (const { name, arguments: given } of functions.values())
      expect([name, Object.keys(given).filter((argument) => reserved.includes(argument))]).toEqual([
        name,
        [],
      ]);
  });

  it('that a closed practice allows concern access, export or erasure', () => {
    const allowed = [...functions.values()].filter(
      ({ effect, whenClosed }) => effect === 'writes' && whenClosed === 'allowed',
    );
    expect(allowed.map(({ name }) => name).sort()).toEqual([
      // The caller joins the practice of the invitation, which must be open.
      'accept_invitation',
      'break_glass',
      'create_recovery_codes',
      'end_member_sessions',
      'end_session',
      // A client may ask for an erasure at any time.
      'erase_client',
      'export_practice',
      'leave_practice',
      // Opens another practice.
      'open_practice',
      'reopen_practice',
      'reset_factors',
      'revoke_calendar_link',
      'revoke_token',
      'switch_practice',
    ]);
  });

  it('are documented in docs/functions.md according to their definitions', () => {
    const place = /<!-- functions: [^>]*-->([^]*?)<!-- end -->/.exec(page);
    // `npm run generate` writes this part of the page.
    expect(bare(place?.[1] ?? '')).toEqual(bare(functionsReference([...functions.values()])));
  });
});
