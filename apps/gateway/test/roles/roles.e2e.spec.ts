// Every role, resource, method and column in every place of a request, against a table that is written by hand.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { catalog } from '@practice/contracts';
import { type PracticeRole, practiceRoles } from '@practice/core';
import { type Resource, visibleColumns } from '@practice/resource';
import type { Answer } from '@practice/testing';
import { changeOf, creatable, type Ids, rowOf } from '../isolation/rows.js';
import { mayDo, resourcesNamed, type Right, rolesNamed, seesOwnOnly, unseenBy } from './expected.js';
import { type Acting, EMERGENCY, members, type Members } from './members.js';

// Every place of a request that can name records or columns, for any resource.

/** A request, and the rights that it needs. */
interface Door {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly needs: readonly (readonly [resource: string, right: Right])[];
}

const columnsOf = (resource: Resource): string[] => visibleColumns(resource).map(([name]) => name);

/** Requests that name these columns of a resource, each request in a different place. */
function columnDoors(resource: Resource, columns: readonly string[]): Door[] {
  const { name } = resource;
  const listed = columns.join(',');
  const present = columns.map((column) => `${column}=not.is.null`).join('&');
  const queries: Record<string, string> = {
    select: `select=${listed}`,
    cast: `select=${columns.map((column) => `${column}::text`).join(',')}`,
    alias: `select=${columns.map((column, index) => `a${index}:${column}`).join(',')}`,
    filter: `select=id&${present}`,
    'logical tree': `select=id&or=(id.is.null,and(${columns.map((column) => `${column}.not.is.null`).join(',')}))`,
    order: `select=id&order=${listed}`,
    aggregate: `select=${columns.map((column, index) => `a${index}:${column}.count()`).join(',')}`,
    group: `select=${listed},count()`,
    'past state': `select=${listed}&as_of=2020-01-01`,
  };
  const reads = Object.entries(queries).map(([place, query]) => ({
    ...{ name: place, method: 'GET', path: `${name}?${query}`, needs: [[name, 'r'] as const] },
  }));
  const [first] = reads;
  if (first === undefined) return [];
  return [
    ...reads,
    { ...first, name: 'HEAD', method: 'HEAD' },
    { ...first, name: 'CSV', headers: { accept: 'text/csv' } },
    ...relatedTo(resource).flatMap((outer) => embedDoors(resource, outer, columns)),
  ];
}

interface Related {
  readonly name: string;
  /** Whether its records refer to records of the resource. */
  readonly isReferring: boolean;
}

const relatedTo = ({ name }: Resource): Related[] =>
  catalog.relations
    .filter(({ from, to }) => from === name || to === name)
    .map(({ from, to }) => ({ name: to === name ? from : to, isReferring: to === name }));

/** Requests that name the columns through another resource that embeds this resource. */
function embedDoors({ name }: Resource, outer: Related, columns: readonly string[]): Door[] {
  const filters = columns.map((column) => `${name}.${column}=not.is.null`).join('&');
  const queries: Record<string, string> = {
    embed: `select=id,${name}(${columns.join(',')})`,
    'inner embed': `select=id,${name}!inner(id)&${filters}`,
    'embed filter': `select=id,${name}(id)&${filters}`,
    'null filter': `select=id,${name}(id)&${name}=not.is.null&${filters}`,
    'embed order': `select=id,${name}(id)&${name}.order=${columns.join(',')}`,
    spread: `select=id,...${name}(${columns.map((column, index) => `a${index}:${column}`).join(',')})`,
    ...(outer.isReferring
      ? {
          'related order': `select=id,${name}(id)&order=${columns.map((column) => `${name}(${column})`).join(',')}`,
        }
      : {
          'embed aggregate': `select=id,${name}(${columns.map((column, index) => `a${index}:${column}.count()`).join(',')})`,
        }),
  };
  const needs = [outer.name, name].map((each) => [each, 'r'] as const);
  return Object.entries(queries).map(([place, query]) => ({
    ...{ name: `${place} in ${outer.name}`, method: 'GET', path: `${outer.name}?${query}`, needs },
  }));
}

/** Requests on a resource with every method. Their changes are rolled back. */
function methodDoors(resource: Resource, ids: Ids): Door[] {
  const { name } = resource;
  const row = rowOf(resource, 5, { ids, mark: 'new' });
  const [referred = '', free = ''] = ids[name] ?? [];
  const prefer = 'return=representation,tx=rollback,count=exact';
  const asked = (right: Right, method: string, query: string): Door => ({
    ...{ name: `${method} ${query}`, method, path: `${name}?${query}`, needs: [[name, right]] },
    headers: { prefer },
  });
  const posted = (query: string, body: unknown, resolution?: string): Door => ({
    ...asked('w', 'POST', query),
    body,
    ...(resolution !== undefined && { headers: { prefer: `${prefer},resolution=${resolution}-duplicates` } }),
  });
  const change = { body: changeOf(resource) };
  return [
    asked('r', 'GET', ''),
    asked('r', 'GET', 'select=count'),
    asked('r', 'HEAD', ''),
    posted('', row),
    posted('on_conflict=id', { ...row, id: free }, 'ignore'),
    ...(resource.appendOnly === true
      ? []
      : [
          posted('', { ...row, id: free }, 'merge'),
          { ...asked('w', 'PUT', `id=eq.${free}`), body: { ...row, id: free } },
          { ...asked('w', 'PATCH', `id=eq.${referred}`), ...change },
          { ...asked('w', 'PATCH', `id=in.(${referred})`), ...change },
          asked('d', 'DELETE', `id=eq.${free}`),
          asked('d', 'DELETE', `id=in.(${free})`),
        ]),
    ...relatedTo(resource).map((near) => ({
      ...posted(`select=id,${near.name}(id)`, row),
      needs: [[name, 'w'] as const, [near.name, 'r'] as const],
    })),
  ];
}

const resources = creatable;
let practice: Members;

beforeAll(async () => {
  practice = await members();
});
afterAll(() => practice.stop());

/** The role that decides. With break-glass access, this is the role that may read more for reads, and the member's own role for writes. */
const deciding = (who: Acting, method: string, name: string): PracticeRole => {
  if (who !== EMERGENCY) return who;
  const isMore = mayDo('therapist', name, 'r') && !mayDo('front_desk', name, 'r');
  return ['GET', 'HEAD'].includes(method) && isMore ? 'therapist' : 'front_desk';
};

const seenBy = (role: PracticeRole, resource: Resource): string[] =>
  columnsOf(resource).filter((column) => !unseenBy(role, resource.name).includes(column));

const send = (role: Acting, { method, path, headers = {}, body }: Door): Promise<Answer> =>
  practice.as(role, path, { method, headers, ...(body !== undefined && { body }) });

const isPermitted = (who: Acting, { method, needs }: Door): boolean =>
  needs.every(([resource, right]) => mayDo(deciding(who, method, resource), resource, right));

/** The outcomes that differ from the expected ones. */
async function unexpected(role: Acting, doors: readonly Door[], permitted: typeof isPermitted) {
  const answers = await Promise.all(doors.map((door) => send(role, door)));
  return doors.flatMap((door, index) => {
    const { status, text, json } = answers[index] as Answer;
    const code = (json as { code?: string } | undefined)?.code;
    const isRefused = status === 403 && (code === '42501' || door.method === 'HEAD');
    const isRight = permitted(role, door) ? status < 300 : isRefused;
    return isRight ? [] : [`${role}: ${door.method} ${door.path} (${door.name}): ${status} ${text}`];
  });
}

/** Whether no row can replace the record: the address of a membership cannot be changed, and records of other members cannot be written. */
const isIrreplaceable = (who: Acting, { name }: Resource, { method, headers = {} }: Door): boolean =>
  (name === 'memberships' || seesOwnOnly(deciding(who, method, name), name)) &&
  (method === 'PUT' || (headers['prefer'] ?? '').includes('merge-duplicates'));

describe('the table of rights', () => {
  it('names every role and every resource', () => {
    expect(rolesNamed).toEqual(practiceRoles);
    const named = [...creatable.map(({ name }) => name), 'billing_settings', 'client_balances'];
    expect(resourcesNamed).toEqual(named.sort());
  });
});

describe.each([...practiceRoles, EMERGENCY] as const)('%s', (who) => {
  const roleIn = (name: string): PracticeRole => deciding(who, 'GET', name);
  const hiddenIn = (name: string): readonly string[] => unseenBy(roleIn(name), name);

  it.each(resources.map((resource) => [resource.name, resource] as const))(
    '%s: methods',
    async (_, resource) => {
      const doors = methodDoors(resource, practice.ids).filter(
        (door) => !isIrreplaceable(who, resource, door),
      );
      expect(await unexpected(who, doors, isPermitted)).toEqual([]);
    },
  );

  it.each(resources.map((resource) => [resource.name, resource] as const))(
    '%s: columns in every place',
    async (name, resource) => {
      const seen = columnDoors(resource, seenBy(roleIn(resource.name), resource));
      expect(await unexpected(who, seen, isPermitted)).toEqual([]);
      for (const hidden of mayDo(roleIn(name), name, 'r') ? hiddenIn(name) : [])
        expect(await unexpected(who, columnDoors(resource, [hidden]), () => false)).toEqual([]);
    },
  );

  it('gets only the columns that it sees if it requests all columns', async () => {
    for (const resource of resources.filter(({ name }) => mayDo(roleIn(name), name, 'r'))) {
      const { name } = resource;
      const { text, json, headers } = await practice.as(who, `${name}?id=eq.${practice.ids[name]?.[0]}`);
      if (seesOwnOnly(roleIn(name), name)) {
        expect([name, json]).toEqual([name, []]);
        continue;
      }
      const [record] = json as object[];
      expect(Object.keys(record ?? {})).toEqual(seenBy(roleIn(resource.name), resource));
      for (const column of hiddenIn(name)) expect(text).not.toContain(`${practice.mark} ${column}`);
      // A version would show that hidden columns have changed.
      expect([name, headers.has('etag')]).toEqual([name, hiddenIn(name).length === 0]);
    }
  });

  it('reads the history of the records that it reads, with the columns that it sees', async () => {
    for (const { name } of resources) {
      const [id = ''] = practice.ids[name] ?? [];
      const { status, text, json } = await practice.as(who, `${name}_history?id=eq.${id}`);
      expect([name, status]).toEqual([name, mayDo(roleIn(name), name, 'r') ? 200 : 403]);
      if (status !== 200) continue;
      if (seesOwnOnly(roleIn(name), name)) {
        expect([name, json]).toEqual([name, []]);
        continue;
      }
      const [made] = json as { version?: number; after: object }[];
      for (const column of hiddenIn(name)) {
        expect(text).not.toContain(`${practice.mark} ${column}`);
        expect(Object.keys(made?.after ?? {})).not.toContain(column);
        const found = await practice.as(who, `${name}_history?id=eq.${id}&after->>${column}=not.is.null`);
        expect(found.json).toEqual([]);
      }
      // A gap between versions would show that hidden columns have changed.
      expect(made?.version).toBe(hiddenIn(name).length === 0 ? 1 : undefined);
      const hidden = await practice.as(who, `${name}_history?select=version`);
      expect([name, hidden.status]).toEqual([name, hiddenIn(name).length === 0 ? 200 : 403]);
    }
  });

  it('gets the columns that it sees of records that it writes', async () => {
    const writerOf = (name: string): PracticeRole => deciding(who, 'POST', name);
    for (const resource of resources.filter(({ name }) => mayDo(writerOf(name), name, 'w'))) {
      const written = methodDoors(resource, practice.ids).find(({ method }) => method === 'POST') as Door;
      const { json } = await send(who, written);
      expect(Object.keys((json as object[])[0] ?? {})).toEqual(seenBy(writerOf(resource.name), resource));
    }
  });
});

describe('an undo', () => {
  const undoable = resources.filter(({ isUndoable }) => isUndoable !== false);
  const needed: [string, Right, string][] = [];

  beforeAll(async () => {
    for (const resource of undoable) needed.push(...(await undoableChanges(resource)));
  });

  /** Changes by the owner, each with the right that its undo needs: a creation, a change and a deletion. */
  async function undoableChanges(resource: Resource): Promise<[string, Right, string][]> {
    const { name } = resource;
    const changeId = async (path: string, method: string, body?: object): Promise<string> => {
      const { headers } = await practice.as('owner', path, { method, ...(body && { body }) });
      return headers.get('change-id') as string;
    };
    const [made, changed, deleted] = [16, 17, 18].map((index) => ({
      id: randomUUID(),
      ...rowOf(resource, index, practice),
    }));
    const changes: [string, Right, string][] = [[name, 'd', await changeId(name, 'POST', made)]];
    if (resource.appendOnly === true) return changes;
    await changeId(name, 'POST', [changed, deleted] as never);
    const [change, deletion] = [changed, deleted].map((one) => `${name}?id=eq.${one?.id}`) as [
      string,
      string,
    ];
    changes.push([name, 'w', await changeId(change, 'PATCH', changeOf(resource))]);
    changes.push([name, 'w', await changeId(deletion, 'DELETE')]);
    return changes;
  }

  it.each(practiceRoles)('by %s takes back only changes that the role may make', async (role) => {
    expect(needed).toHaveLength(
      undoable.length * 3 - 2 * undoable.filter(({ appendOnly }) => appendOnly === true).length,
    );
    for (const [name, right, change] of needed) {
      const body = { change_id: change };
      const headers = { prefer: 'tx=rollback' };
      const { status, json } = await practice.as(role, 'rpc/undo', { method: 'POST', body, headers });
      const mayUndo = mayDo(role, name, right) && unseenBy(role, name).length === 0 && role !== 'read_only';
      const code = (json as { code?: string }).code;
      const outcome = name === 'credit_notes' ? [409, 'PM021'] : [200, undefined];
      expect([name, right, change, status, code]).toEqual([
        ...[name, right, change],
        ...(mayUndo ? outcome : [403, '42501']),
      ]);
    }
  });
});

describe('a change of columns that a role does not see', () => {
  it('is not in the history for that role, in any place that shows histories', async () => {
    const [id = ''] = practice.ids['appointments'] ?? [];
    for (const change of [{ notes: 'only a note' }, { notes: 'a note again', status: 'cancelled' }])
      expect(
        (await practice.as('owner', `appointments?id=eq.${id}`, { method: 'PATCH', body: change })).status,
      ).toBe(204);
    const places = [
      `appointments_history?id=eq.${id}&order=position&select=event,before,after`,
      `appointments?id=eq.${id}&select=appointments_history(event,before,after)&appointments_history.order=position`,
    ];
    for (const place of places) {
      const seen = async (role: PracticeRole) => {
        const { text, json } = await practice.as(role, place);
        const [first] = json as { appointments_history?: object[] }[];
        return { text, events: first?.appointments_history ?? (json as object[]) };
      };
      const [all, some] = [await seen('owner'), await seen('billing')];
      expect(all.events).toHaveLength(some.events.length + 2);
      expect(all.text).toContain('only a note');
      expect(some.text).not.toContain('note');
      expect(some.events.at(-1)).toMatchObject({ after: { status: 'cancelled' } });
    }
    const { json } = await practice.as('billing', `appointments_history?id=eq.${id}&select=count()`);
    expect(json).toEqual([{ count: 2 }]);
  });
});

describe('break-glass access', () => {
  const readBy = (one: PracticeRole, other: PracticeRole): string[] =>
    resourcesNamed.filter((name) => mayDo(one, name, 'r') && !mayDo(other, name, 'r'));

  it('adds reads of personal values only in confidential records, because the access log contains only these', () => {
    const added = readBy('therapist', 'front_desk').map((name) => catalog.resources.get(name) as Resource);
    const personal = added.filter(({ columns }) => Object.values(columns).some((each) => each.personal));
    expect(personal.map(({ name, confidential }) => [name, confidential])).toEqual(
      ['diagnoses', 'measures', 'private_notes', 'session_addenda', 'sessions'].map((name) => [name, true]),
    );
    for (const { name } of resources)
      expect([name, unseenBy('front_desk', name)]).toEqual([name, unseenBy('therapist', name)]);
  });

  it('keeps the reads of money, which therapists do not have', async () => {
    for (const name of readBy('front_desk', 'therapist'))
      expect([name, (await practice.as(EMERGENCY, name)).status]).toEqual([name, 200]);
  });
});

describe('an error', () => {
  it('names the roles that have the right', async () => {
    const denied = (role: PracticeRole, path: string, method = 'GET') =>
      practice.as(role, path, { method }).then(({ json }) => json);
    expect(await denied('front_desk', 'sessions')).toEqual({
      code: '42501',
      message: 'permission denied for table sessions',
      details: 'The role front_desk may not read records of sessions.',
      hint: 'Roles with this right: owner, therapist, read_only.',
    });
    expect(await denied('front_desk', `clients?id=eq.${randomUUID()}`, 'DELETE')).toMatchObject({
      details: 'The role front_desk may not delete records of clients.',
      hint: 'Roles with this right: owner, therapist.',
    });
    expect(await denied('billing', 'appointments?select=notes')).toEqual({
      code: '42501',
      message: 'permission denied for column "notes" of relation "appointments"',
      details: 'The role billing does not see this column.',
      hint: 'Roles with this right: owner, therapist, front_desk, read_only.',
    });
  });
});

describe('the response to a repeated request', () => {
  it('is not sent to another member', async () => {
    const headers = { 'idempotency-key': randomUUID(), prefer: 'return=representation' };
    const clients = catalog.resources.get('clients') as Resource;
    const body = rowOf(clients, 9, { ids: practice.ids, mark: practice.mark });
    const asked = (role: PracticeRole) => practice.as(role, 'clients', { method: 'POST', headers, body });
    expect((await asked('owner')).status).toBe(201);
    expect((await asked('owner')).headers.get('idempotency-replayed')).toBe('true');
    expect((await asked('front_desk')).json).toMatchObject({ code: 'PM005' });
    expect((await asked('billing')).json).toMatchObject({ code: '42501' });
  });
});
