// A real Prometheus collects the metrics of the running system, with the rules and the queries of the dashboards.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, metricsTargets, newPractice, scrapeText, stack } from '@practice/testing';
import { freePort } from '../ports.js';
import { projectFolder } from '../processes/app.js';

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const folder = join(projectFolder, 'infra', 'monitoring');
const queries = readdirSync(join(folder, 'dashboards')).flatMap((file) => {
  const { panels } = JSON.parse(readFileSync(join(folder, 'dashboards', file), 'utf8')) as {
    panels: Panel[];
  };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title: `${file}: ${title}`, expr })),
  );
});
const alerts = readFileSync(join(folder, 'alerts.yml'), 'utf8').replace(/^ *(summary|- alert|#).*$/gm, '');

/** The names of metrics in queries; Prometheus' own `up` has no prefix. */
const metricsIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:practice|process|nodejs)_\w+/g)].map(([name]) => name);

describe('dashboards and alerts', () => {
  it('name only metrics that the processes export', async () => {
    const texts = await Promise.all(metricsTargets().map(({ address }) => scrapeText(address)));
    const exported = new Set(
      [...texts.join('\n').matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', kind]) =>
        kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ),
    );
    const named = [alerts, ...queries.map(({ expr }) => expr)].flatMap(metricsIn);
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((name) => !exported.has(name))).toEqual([]);
  });

  it('show every metric of ours', () => {
    const shown = new Set(
      queries.flatMap(({ expr }) => metricsIn(expr)).map((name) => name.replace(/_(bucket|sum|count)$/, '')),
    );
    const listed = [
      ...readFileSync(join(projectFolder, 'docs/metrics.md'), 'utf8').matchAll(/^\| `(practice_\w+)`/gm),
    ];
    expect(listed.map(([, name = '']) => name).filter((name) => !shown.has(name))).toEqual([]);
  });
});

const program = ['/usr/bin/prometheus', '/usr/local/bin/prometheus', '/opt/homebrew/bin/prometheus'].find(
  existsSync,
);

if (program === undefined)
  it.skip('needs Prometheus, which is not installed (`.ci/run` installs it as root)', () => {});
else describe('a Prometheus that scrapes the system', () => scraping(program));

function scraping(prometheus: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'practice-prometheus-'));
  let child: ChildProcess;
  let origin: string;

  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${origin}/api/v1/${path}`, { headers: { connection: 'close' } });
    const { status, error, data } = (await response.json()) as { status: string; error?: string; data: T };
    if (status !== 'success') throw new Error(error);
    return data;
  };
  const query = async (
    expr: string,
  ): Promise<{ metric: Record<string, string>; value: [number, string] }[]> =>
    (await ask<{ result: never[] }>(`query?query=${encodeURIComponent(expr)}`)).result;

  beforeAll(async () => {
    const config = readFileSync(join(folder, 'prometheus.yml'), 'utf8')
      .replaceAll('15s', '1s')
      .replace('alerts.yml', join(folder, 'alerts.yml'))
      .replace('../../.data', stack().dataDir);
    writeFileSync(join(scratch, 'prometheus.yml'), config);
    const address = `127.0.0.1:${await freePort()}`;
    origin = `http://${address}`;
    const options = {
      'config.file': join(scratch, 'prometheus.yml'),
      'storage.tsdb.path': join(scratch, 'data'),
      'web.listen-address': address,
    };
    child = spawn(
      prometheus,
      Object.entries(options).map(([name, value]) => `--${name}=${value}`),
      { stdio: 'ignore' },
    );
    await eventually('Prometheus is ready', () =>
      fetch(`${origin}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });

  afterAll(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await ended;
    rmSync(scratch, { recursive: true, force: true });
  });

  it('finds every process and gets its metrics', async () => {
    const processes = metricsTargets()
      .map((target) => target.process)
      .sort();
    const up = async () =>
      (await query('up{job="practice"} == 1')).map(({ metric }) => metric['process'] ?? '').sort();
    await eventually('every target is up', async () => String(await up()) === String(processes));
  });

  it('counts the requests of callers', async () => {
    const { rest } = await newPractice();
    const counted = async () =>
      Number(
        (
          await query('sum(practice_http_request_duration_seconds_count{resource="expenses", method="GET"})')
        )[0]?.value[1] ?? 0,
      );
    const before = await counted();
    for (let reads = 0; reads < 3; reads += 1) await rest('expenses');
    await eventually('they are counted', async () => (await counted()) >= before + 3);
  });

  it('evaluates every alert without an error', async () => {
    interface Group {
      readonly rules: readonly {
        readonly name: string;
        readonly health: string;
        readonly lastError?: string;
      }[];
    }
    const rules = async () =>
      (await ask<{ groups: Group[] }>('rules')).groups.flatMap((group) => group.rules);
    await eventually('all are evaluated', async () =>
      (await rules()).every(({ health }) => health !== 'unknown'),
    );
    expect((await rules()).filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(await rules()).toHaveLength(
      [...readFileSync(join(folder, 'alerts.yml'), 'utf8').matchAll(/- alert:/g)].length,
    );
  });

  it('answers every query of the dashboards', async () => {
    for (const { title, expr } of queries) {
      const found = await query(expr.replaceAll('$__rate_interval', '1m')).then(
        (result) => ({ title, isAnswered: Array.isArray(result) }),
        (error: unknown) => ({ title, error: String(error) }),
      );
      expect(found).toEqual({ title, isAnswered: true });
    }
  });
}
