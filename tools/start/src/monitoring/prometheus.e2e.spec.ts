// A real Prometheus collects the metrics of the running system, with the rules and the queries of the dashboards.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, metricsTargets, newPractice, scrapeText, stack } from '@practice/testing';
import { freePort, machineEnvironment, projectFolder } from '@practice/operator';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const folder = join(projectFolder, 'infra', 'monitoring');
const queries = readdirSync(join(folder, 'dashboards')).flatMap((file) => {
  const { panels } = JSON.parse(readFileSync(join(folder, 'dashboards', file), 'utf8')) as Dashboard;
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title: `${file}: ${title}`, expr })),
  );
});
/** The rules that prometheus.yml names. */
const rules = ['alerts.yml', 'alerts.supervisor.yml']
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');
const alerts = rules.replace(/^ *(summary|runbook|- alert|#).*$/gm, '');

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

  it('show every metric of the product', () => {
    const shown = new Set(
      queries.flatMap(({ expr }) => metricsIn(expr)).map((name) => name.replace(/_(bucket|sum|count)$/, '')),
    );
    const listed = [
      ...readFileSync(join(projectFolder, 'docs/metrics.md'), 'utf8').matchAll(/^- `(practice_\w+)/gm),
    ];
    expect(listed.map(([, name = '']) => name).filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe('/practices of a process', () => {
  it('lists the practices whose requests took the most time', async () => {
    const { rest, therapistId } = await newPractice();
    const finance = metricsTargets().find(({ service }) => service === 'finance');
    await eventually('the practice is among the busiest', async () => {
      // Other specs use the same process.
      await Promise.all(Array.from({ length: 50 }, () => rest('expenses')));
      return (await scrapeText(finance?.address ?? '', '/practices')).includes(therapistId);
    });
  });
});

const program = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
  .map((place) => join(place, 'prometheus'))
  .find(existsSync);
if (program === undefined)
  it.skip('needs Prometheus, which is not installed (`.ci/run` installs it as root)', () => {});
else describe('a Prometheus that scrapes the system', () => scraping(program));

function scraping(program: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'practice-prometheus-'));
  let prometheus: ChildProcess;
  let address: string;

  /** The `data` of an answer of the API. @throws {Error} with its reason when it refuses */
  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://${address}/api/v1/${path}`, { headers: { connection: 'close' } });
    const { status, error, data } = (await response.json()) as { status: string; error?: string; data: T };
    if (status !== 'success') throw new Error(error);
    return data;
  };
  const query = async (
    expr: string,
  ): Promise<{ metric: Record<string, string>; value: [number, string] }[]> =>
    (await ask<{ result: never[] }>(`query?query=${encodeURIComponent(expr)}`)).result;

  beforeAll(async () => {
    const config = join(scratch, 'prometheus.yml');
    writeFileSync(
      config,
      readFileSync(join(folder, 'prometheus.yml'), 'utf8')
        .replaceAll('15s', '1s')
        .replaceAll(/alerts[.\w]*\.yml/g, (file) => join(folder, file))
        .replace('../../.data', stack().dataDir),
    );
    address = `127.0.0.1:${await freePort()}`;
    const paths = [`--config.file=${config}`, `--storage.tsdb.path=${join(scratch, 'data')}`];
    prometheus = spawn(program, [...paths, `--web.listen-address=${address}`], {
      stdio: 'ignore',
      env: machineEnvironment(),
    });
    await eventually('Prometheus is ready', () =>
      fetch(`http://${address}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });

  afterAll(async () => {
    prometheus.kill();
    await once(prometheus, 'exit');
    rmSync(scratch, { recursive: true, force: true });
  });

  it('finds every process and reads its metrics', async () => {
    const processes = metricsTargets()
      .map((target) => target.process)
      .sort();
    const up = async () =>
      (await query('up{job="practice"} == 1')).map(({ metric }) => metric['process'] ?? '').sort();
    await eventually('every target is up', async () => String(await up()) === String(processes));
  });

  it('reads the state of each process under its own name', async () => {
    const named = async () =>
      (await query('practice_process_up')).map(({ metric }) => metric['process'] ?? '');
    await eventually('the supervisor is scraped', async () => (await named()).length > 0);
    const watched = metricsTargets()
      .map((target) => target.process)
      .filter((process) => process !== 'supervisor');
    expect(await named()).toEqual(expect.arrayContaining(watched));
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

  it('evaluates every alert without an error, and none is pending for a running process', async () => {
    interface Rule {
      readonly name: string;
      readonly health: string;
      readonly state: string;
      readonly lastError?: string;
    }
    const evaluated = async () =>
      (await ask<{ groups: { rules: readonly Rule[] }[] }>('rules')).groups.flatMap((group) => group.rules);
    const running = ['ProcessDown', 'NothingMonitored', 'NatsDisconnected', 'OutboxUnknown'];
    await eventually('all are evaluated', async () =>
      (await evaluated()).every(({ health }) => health !== 'unknown'),
    );
    expect((await evaluated()).filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(await evaluated()).toHaveLength([...rules.matchAll(/- alert:/g)].length);
    await eventually('nothing is wrong with a process', async () =>
      (await evaluated()).every(({ name, state }) => !running.includes(name) || state === 'inactive'),
    );
  });

  it('answers every query of the dashboards over a span of time', async () => {
    const end = Math.floor(Date.now() / 1000);
    for (const { title, expr } of queries) {
      const asked = {
        query: expr.replaceAll('$__rate_interval', '4s'),
        start: String(end - 10),
        end: String(end),
        step: '1',
      };
      const path = `query_range?${String(new URLSearchParams(asked))}`;
      const found = await ask<{ resultType: string }>(path).then(
        ({ resultType }) => ({ title, resultType }),
        (error: unknown) => ({ title, error: String(error) }),
      );
      expect(found).toEqual({ title, resultType: 'matrix' });
    }
  });
}
