// The linters that users of the description run, with their recommended rules.

import { expect, it } from '@jest/globals';
import { catalog, functions } from '@practice/contracts';
import { compact, openApi } from '@practice/describe';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { controllers } from '../gateway.module.js';
import { besideRecords, routesOf } from './documents.js';

const document = openApi(
  { catalog, functions: [...functions.values()], version: '0', baseUrl: 'https://practice.example' },
  besideRecords(routesOf(controllers)),
);

const short = compact(document, catalog.readable.values());

it('has a compact form of at most 1,350 bytes for each resource and function', async () => {
  const bytes = Buffer.byteLength(JSON.stringify(short));
  expect(bytes / Object.keys(short.paths).length).toBeLessThanOrEqual(1350);
  expect(await new Validator().validate(structuredClone(short) as never)).toEqual({ valid: true });
  const names = [...catalog.readable.values()].filter(({ historyOf }) => historyOf === undefined);
  expect(Object.keys(short.paths).sort()).toEqual(
    [...names, ...[...functions.keys()].map((name) => ({ name: `rpc/${name}` }))]
      .map(({ name }) => `/rest/v1/${name}`)
      .sort(),
  );
  expect(short.components['schemas']).toMatchObject({
    appointments: { properties: { status: { enum: expect.arrayContaining(['confirmed']) } } },
    'clients.insert': { required: ['name'] },
    'appointments.insert': {
      allOf: expect.arrayContaining([{ anyOf: [{ required: ['date'] }, { required: ['starts_at'] }] }]),
    },
  });
});

it('has no circular references, which the page /docs could not resolve', () => {
  const refersToItself = (part: unknown, above: readonly string[]): string[] =>
    [...JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)].flatMap(
      ([ref, kind = '', name = '']) =>
        above.includes(ref) ? [ref] : refersToItself(document.components[kind]?.[name], [...above, ref]),
    );
  const parts = Object.values(document.components).flatMap((members) => Object.values(members ?? {}));
  expect(parts.flatMap((part) => refersToItself(part, []))).toEqual([]);
});

it('passes the recommended rules of Redocly', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    config: await createConfig({ extends: ['recommended'] }),
  });
  expect(
    problems.map(({ ruleId, message, location: [place] }) => `${ruleId} ${place?.pointer}: ${message}`),
  ).toEqual([]);
});

it('passes the recommended rules of Spectral', async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[rulesets.oas as never, 'recommended']] });
  const problems = await linter.run(JSON.stringify(document));
  expect(problems.map(({ code, message, path }) => `${code} ${path.join('/')}: ${message}`)).toEqual([]);
});
