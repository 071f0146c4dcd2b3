// The conformance suite of MCP checks the assistant's endpoint against the requirements of each revision for servers.

import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { conformance, type ConformanceCheck, newPractice, stack } from '@practice/testing';
import { type Era, eras, personalToken } from './assistants.js';

let proxy: Server;
let url: string;
let gateway: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;

/** The suite sends no token, so its requests go through a proxy that adds a token. The gateway permits pages of the proxy's origin. */
beforeAll(async () => {
  const token = await personalToken(await newPractice());
  proxy = createServer((from, to) => {
    const headers = { ...from.headers, authorization: `Bearer ${token}` };
    from.pipe(
      request(`${gateway.origin}${from.url}`, { method: from.method, headers }, (answer) => {
        to.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(to);
      }).on('error', () => to.destroy()),
    );
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  url = `${origin}/mcp`;
  gateway = await stack().spawnProcess('gateway', { CORS_ORIGINS: origin });
});

afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await gateway.stop();
});

/** The expected result of every scenario. */
interface Expected {
  readonly holds: readonly string[];
  /** By reason: a scenario if all of its checks may fail, or `scenario:check` if only this check may fail. */
  readonly fails: Readonly<Record<string, readonly string[]>>;
}

const named = (start: string, ...ends: readonly string[]): string[] => ends.map((end) => `${start}-${end}`);

const contents = ['audio', 'embedded-resource', 'error', 'image', 'mixed-content', 'simple-text'];
const ofExampleServer = [
  ...named('tools-call', ...contents, 'with-progress'),
  ...named('prompts-get', 'embedded-resource', 'simple', 'with-args', 'with-image'),
  ...named('resources', 'read-binary', 'read-text', 'templates-read'),
  'json-schema-2020-12',
];
const FIXTURES = 'They use a tool, prompt or resource of the example server of the suite';
const inBoth = {
  'The server completes no arguments.': ['completion-complete'],
};

const expected: Readonly<Record<Era, Expected>> = {
  '2025-11-25': {
    holds: [
      'dns-rebinding-protection',
      'ping',
      'prompts-list',
      'resources-list',
      'server-initialize',
      'tools-list',
    ],
    fails: {
      ...inBoth,
      [FIXTURES]: [
        ...ofExampleServer,
        ...named('elicitation', 'sep1034-defaults', 'sep1330-enums'),
        ...named('tools-call', 'elicitation', 'sampling', 'with-logging'),
      ],
      'The server keeps no sessions, and has no streams that a client resumes.': [
        ...named('server', 'session-lifecycle', 'sse-multiple-streams', 'sse-polling'),
      ],
      'The server sends no logs.': ['logging-set-level'],
      'No resource changes while a client is connected.': named('resources', 'subscribe', 'unsubscribe'),
    },
  },
  '2026-07-28': {
    holds: [
      ...['caching', 'dns-rebinding-protection', 'http-header-validation'],
      ...named('input-required-result', 'unsupported-methods', 'validate-input'),
      ...['prompts-list', 'resources-list', 'sep-2164-resource-not-found', 'server-sse-multiple-streams'],
      'tools-list',
    ],
    fails: {
      ...inBoth,
      [FIXTURES]: [
        ...ofExampleServer,
        ...named('input-required-result', 'basic-elicitation', 'basic-list-roots', 'basic-sampling'),
        ...named('input-required-result', 'capability-check', 'ignore-extra-params', 'multi-round'),
        ...named('input-required-result', 'missing-input-response', 'multiple-input-requests'),
        ...named('input-required-result', 'non-tool-request', 'request-state', 'result-type'),
        'input-required-result-tampered-state',
        ...named(
          'server-stateless:sep-2575',
          'http-server-no-independent-requests-on-stream',
          'missing-capability-http-400',
          'server-no-log-without-loglevel',
          'server-rejects-undeclared-capability',
        ),
      ],
      'No tool has an argument in a header field.': ['http-custom-header-server-validation'],
      'No list changes while a client is connected, so there are no subscriptions.': [
        ...named('server-stateless:sep-2575', 'server-sends-subscription-ack', 'server-tags-subscription-id'),
      ],
      'The server does not have the extension for tasks.': [
        ...named('tasks', 'capability-negotiation', 'dispatch-and-envelope', 'lifecycle', 'mrtr-composition'),
        ...named('tasks', 'mrtr-input', 'request-headers', 'request-state-removal', 'required-task-error'),
        ...named('tasks', 'status-notifications', 'wire-fields'),
      ],
    },
  },
};

/** The name of a scenario, from the name of its folder. */
const scenarioOf = (folder: string): string =>
  folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*/, '');

/** The failures of a scenario: none if it holds, its name if all of its checks may fail, otherwise each check that fails. */
function failuresOf(
  scenario: string,
  checks: readonly ConformanceCheck[],
  known: readonly string[],
): string[] {
  const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const isJudged = checks.some(({ status }) => status === 'SUCCESS');
  if (isJudged && failed.length === 0) return [];
  if (known.includes(scenario) || !isJudged) return [scenario];
  return [...new Set(failed.map(({ id }) => `${scenario}:${id}`))];
}

it.each(eras)('the scenarios of %s hold, except the scenarios with a stated reason', async (era) => {
  const results = await conformance(['server', '--url', url, '--requirements', era]);
  const { holds, fails } = expected[era];
  const known = Object.values(fails).flat().sort();
  const judged = [...results].map(([folder, checks]) => {
    const scenario = scenarioOf(folder);
    return { scenario, failures: failuresOf(scenario, checks, known) };
  });
  const held = judged.filter(({ failures }) => failures.length === 0);
  expect({
    holds: held.map(({ scenario }) => scenario).sort(),
    fails: judged.flatMap(({ failures }) => failures).sort(),
  }).toEqual({ holds, fails: known });
});
