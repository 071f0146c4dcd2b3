import { describe, expect, it } from '@jest/globals';
import { ID } from './sql.js';
import { readScripts } from './scripts.js';

const practice = { id: ID, token: '', appointments: [], regulars: [ID] };

describe('the scripts of pgbench', () => {
  it.each(['day', 'list', 'search', 'notes', 'expenses'] as const)(
    'have no variables but their own in a read of %s',
    (scenario) => {
      const { scripts, variables } = readScripts(scenario, [practice]);
      const found = [...(scripts[0] ?? '').matchAll(/(?<!:):(\w+)/g)].map(([, name]) => name);
      expect(new Set(found)).toEqual(new Set(Object.keys(variables)));
    },
  );

  it('format times as the statements of the service do', () => {
    expect(readScripts('day', [practice]).scripts[0]).toContain(`('HH24' || chr(58) || 'MI')`);
  });
});
