// infra/monitoring: every alert has a case in the tests of promtool and a row in docs/operations.md.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { catalogue } from '@practice/metrics';
import { projectFolder } from '@practice/operator';

interface Rule {
  readonly alert: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly runbook: string };
}

const folder = join(projectFolder, 'infra', 'monitoring');
const textOf = (...path: string[]): string => readFileSync(join(projectFolder, ...path), 'utf8');
const read = (file: string): unknown => parse(textOf('infra', 'monitoring', file));
const files = ['alerts.yml', 'alerts.supervisor.yml', 'alerts.kubernetes.yml'];
const rulesIn = (file: string): Rule[] =>
  (read(file) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const rules = files.flatMap(rulesIn);
const names = rules.map(({ alert }) => alert).sort();
const promtool = ['/usr/bin/promtool', '/usr/local/bin/promtool', '/opt/homebrew/bin/promtool'].find(
  existsSync,
);

describe('the alerts', () => {
  it('each have a test case in which they are quiet at first and then fire', () => {
    const { tests } = read('alerts.test.yml') as {
      tests: { name: string; alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
    };
    expect(tests.map(({ name }) => name).sort()).toEqual(names);
    for (const { name, alert_rule_test: looks } of tests) {
      expect(looks.map(({ alertname }) => alertname)).toEqual([name, name]);
      expect(looks.map(({ exp_alerts: fires = [] }) => fires.length > 0)).toEqual([false, true]);
    }
  });

  it('each link to a paragraph in docs/operations.md that has their severity', () => {
    const paragraphs = [
      ...textOf('docs', 'operations.md').matchAll(/^##### (\w+)\n\n(Critical|Warning)\. \S.{30,}/gm),
    ].map(([, alert = '', severity = '']) => ({ alert, severity: severity.toLowerCase() }));
    expect(paragraphs).toEqual(rules.map(({ alert, labels: { severity } }) => ({ alert, severity })));
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
  });

  it('for containers name no metric of the supervisor', () => {
    const ofSupervisor = Object.entries(catalogue)
      .filter(([name, { from }]) => from === 'supervisor' && !name.startsWith('practice_process_'))
      .map(([name]) => name);
    expect(ofSupervisor.length).toBeGreaterThan(5);
    const shipped = ['alerts.yml', 'alerts.kubernetes.yml'].map((file) =>
      textOf('infra', 'monitoring', file),
    );
    expect(ofSupervisor.filter((name) => shipped.join('\n').includes(name))).toEqual([]);
  });

  if (promtool === undefined)
    it.skip('need promtool, which is not installed (`.ci/run` installs it as root)', () => {});
  else
    it.each([
      ['check', 'config', '--syntax-only', 'prometheus.yml'],
      ['test', 'rules', 'alerts.test.yml'],
    ])('pass promtool %s %s', (...args) => {
      expect(execFileSync(promtool, args, { cwd: folder, encoding: 'utf8' })).toContain('SUCCESS');
    });
});
