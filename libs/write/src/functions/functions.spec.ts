import { describe, expect, it } from '@jest/globals';
import { outcomeOf, type Identity, type Problem } from '@practice/core';
import { column, defineFunction, returns, type FunctionDefinition } from '@practice/resource';
import { functionsOf } from '@practice/contracts';
import { Handles } from './function-handler.js';
import { Functions } from './functions.js';
import { storableResponse } from './function-response.js';
import { VerifyLog } from '@practice/recovery';
import { checkPermission } from './permission.js';
import { SearchHandler } from '../search/search.handler.js';
import { TimelineHandler } from '../timeline/timeline.handler.js';
import { UndoHandler } from '../undo/undo.handler.js';

const total = defineFunction({
  name: 'total',
  service: 'finance',
  description: 'Adds.',
  arguments: {},
  returns: returns.object({ sum: column.integer({}) }),
  effect: 'reads',
  roles: ['owner', 'billing'],
});
const close = { ...total, name: 'close', effect: 'writes', needsSession: true } as const;

const owner: Identity = { therapistId: 'a', userId: 'a', practiceRole: 'owner', sessionId: 's' };
const token: Identity = { therapistId: 'a', userId: 'a', practiceRole: 'owner', tokenId: 't' };

function refusal(definition: FunctionDefinition, caller: Identity): unknown {
  const problem = outcomeOf(() => checkPermission(definition, caller)) as Problem | undefined;
  if (problem === undefined) return null;
  const { status, code, message, details } = problem;
  expect([status, code, message]).toEqual([
    403,
    '42501',
    `permission denied for function ${definition.name}`,
  ]);
  return details;
}

describe('the permission to call a function', () => {
  it('depends on the role', () => {
    expect(refusal(total, owner)).toBeNull();
    expect(refusal(total, { ...owner, practiceRole: 'billing' })).toBeNull();
    expect(refusal(total, { ...owner, practiceRole: 'front_desk' })).toMatch(/front_desk/);
  });

  it('depends on the session, if the function needs one', () => {
    expect(refusal(total, token)).toBeNull();
    expect(refusal(close, token)).toMatch(/signed-in session/);
    expect(refusal(close, owner)).toBeNull();
  });

  it.each([
    [['rpc:total'], true, false],
    [['rpc:close'], false, true],
    [['*:write'], true, true],
    [['*:read'], true, false],
    [['expenses:write'], false, false],
    [[], false, false],
  ])('depends on the scopes of the token: %j', (scopes, mayRead, mayWrite) => {
    const scoped = { ...owner, scopes };
    expect([refusal(total, scoped) === null, refusal(close, scoped) === null]).toEqual([mayRead, mayWrite]);
  });
});

/** A handler for each function of a service, except the ones that every service has. */
const handlersOf = (service: string): object[] =>
  functionsOf(service)
    .filter((definition) => definition.service === service)
    .map((definition) => {
      class Handler {
        call(): void {}
      }
      Handles(definition)(Handler);
      return new Handler();
    });

/** Handlers of the functions that every service has and that only read. */
const readers = [VerifyLog, SearchHandler, TimelineHandler].map(
  ({ prototype }) => Object.create(prototype) as object,
);

describe('the functions of a service', () => {
  it('all have handlers, and no handler has another function', () => {
    expect(() => new Functions('identity', [])).toThrow(/^identity has no handler for /);
    expect(() => new Functions('clinical-notes', [{}])).toThrow('which it does not own');
    const handlers = [...handlersOf('clinical-notes'), ...readers, new UndoHandler()];
    const functions = new Functions('clinical-notes', handlers);
    expect(() => functions.get('total')).toThrow('there is no function total here');
  });

  it('include the service’s part of functions of every service and of several services', () => {
    expect(() => new Functions('webhooks', [])).toThrow(/^webhooks has no handler for /);
    const handlers = [...handlersOf('clinical-notes'), ...readers];
    expect(() => new Functions('clinical-notes', handlers)).toThrow('clinical-notes has no handler for undo');
  });
});

describe('the response that is kept under a key', () => {
  const answer = { status: 200, headers: {}, body: '{"secret":"x"}' };

  it('has no secret', () => {
    const secret = { ...close, returns: returns.object({ secret: column.text({ confidential: true }) }) };
    const kept = storableResponse(secret, answer);
    expect(kept).toMatchObject({ status: 409, body: expect.stringContaining('"code":"PM005"') });
    expect(JSON.stringify(kept)).not.toContain('"x"');
    expect(storableResponse(close, answer)).toBe(answer);
  });
});
