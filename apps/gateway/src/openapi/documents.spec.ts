import { describe, expect, it } from '@jest/globals';
import { catalog, functions } from '@practice/contracts';
import { openApi } from '@practice/describe';
import { controllers } from '../gateway.module.js';
import { besideRecords, documentCalls, routesOf } from './documents.js';

const routes = routesOf(controllers);
const beside = besideRecords(routes);
const { paths, components } = openApi(
  { catalog, functions: [...functions.values()], version: '0', baseUrl: 'http://localhost:8000' },
  beside,
);

/** Routes that only respond that a feature is not offered, in a form that clients know. The document omits them. */
const notOffered: readonly string[] = [
  'post /auth/v1/otp',
  'post /auth/v1/magiclink',
  'get /auth/v1/authorize',
  'post /auth/v1/sso',
  'get /auth/v1/user/identities/authorize',
  'delete /auth/v1/user/identities/{id}',
  // Off unless the operator permits it.
  'post /auth/v1/oauth/clients/register',
];

const spelled = (calls: readonly { method: string; path: string; access: string }[]): string[] =>
  calls.map(({ method, path, access }) => `${method} ${path} (${access})`).sort();

describe('the routes of the gateway', () => {
  it('are read from its controllers', () => {
    expect(spelled(routes)).toEqual(
      expect.arrayContaining(['post /auth/v1/signup (key)', 'get /auth/v1/user (user)', 'get /livez (open)']),
    );
    expect(routes.find(({ path }) => path === '/auth/v1/token')?.operation?.responses).toHaveProperty('429');
  });

  it('include the routes that are not offered', () => {
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    expect(names).toEqual(expect.arrayContaining([...notOffered]));
  });

  it('are all described, unless they are not offered', () => {
    const offered = routes.filter(({ method, path }) => !notOffered.includes(`${method} ${path}`));
    expect(spelled(beside.calls)).toEqual(spelled([...offered, ...documentCalls]));
  });

  it('are described, together with the resources and no other calls', () => {
    const described = Object.keys(paths).sort();
    const names = [...catalog.readable.keys(), ...[...functions.keys()].map((name) => `rpc/${name}`)];
    const there = names.map((name) => `/rest/v1/${name}`);
    expect(described).toEqual([...new Set([...there, ...beside.calls.map(({ path }) => path)])].sort());
  });
});

describe('the components of the description', () => {
  it('are all referred to', () => {
    const text = JSON.stringify({ paths, components });
    const unused = ['schemas', 'headers', 'parameters', 'responses'].flatMap((kind) =>
      Object.keys(components[kind] ?? {})
        .map((name) => `"#/components/${kind}/${name}"`)
        .filter((ref) => !text.includes(ref)),
    );
    expect(unused).toEqual([]);
  });
});
