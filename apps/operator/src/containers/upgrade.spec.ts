// The script upgrade.sh with a program that notes the commands of Docker: Docker is not available where the tests run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { machineEnvironment } from '../settings/operator.config.js';
import { projectFolder } from '../settings/project.js';

const folder = mkdtempSync(join(tmpdir(), 'practice-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true }));

const docker = `#!/bin/sh
echo "$*" >> "${join(folder, 'commands')}"
case "$*" in
  'compose config --services') printf '%s\\n' secrets prepare gateway live clients added ;;
  'compose ps --quiet gateway') printf '%s\\n' one two ;;
  'compose ps --quiet added') ;;
  'compose ps --quiet '*) echo three ;;
  stop | rm) exit 1 ;;
esac
`;

it('an upgrade doubles each part and ends its old containers, and starts a service that the new version adds', () => {
  writeFileSync(join(folder, 'docker'), docker, { mode: 0o755 });
  const PATH = `${folder}:${machineEnvironment()['PATH']}`;
  const script = join(projectFolder, 'apps', 'operator', 'container', 'upgrade.sh');
  execFileSync('bash', [script], { env: { PATH } });
  const commands = readFileSync(join(folder, 'commands'), 'utf8').split('\n');
  const scales = commands.flatMap((command) => / --scale (\S+) /.exec(command)?.[1] ?? []);
  expect(scales).toEqual(['gateway=4', 'live=2', 'clients=2', 'added=1']);
  expect(commands.filter((command) => /^stop\b/.test(command))).toEqual([
    'stop one two',
    'stop three',
    'stop three',
  ]);
});
