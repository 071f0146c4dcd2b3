import { describe, expect, it } from '@jest/globals';
import { ID } from './sql.js';
import { readScripts } from './scripts.js';

const practice = { id: ID, token: '', appointments: [], regulars: [ID] };

describe('the scripts of pgbench', () => {
  // pgbench takes a colon and a letter for a variable, also in a string constant such as 'HH24:MI'.
  it.each(['day', 'list', 'search', 'notes', 'expenses'] as const)(
    'have no variables but their own in a read of %s',
    (scenario) => {
      const { scripts, variables } = readScripts(scenario, [practice]);
      const found = [...(scripts[0] ?? '').matchAll(/(?<!:):(\w+)/g)].map(([, name]) => name);
      expect(new Set(found)).toEqual(new Set(Object.keys(variables)));
    },
  );
});
