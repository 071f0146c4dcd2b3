import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../settings/project.js';
import { isFixed, reviewVersion } from './version.js';

const reviewed = (version: string, isProduction: boolean): string[] => {
  const lines: string[] = [];
  reviewVersion(version, { isProduction, say: (line) => lines.push(line) });
  return lines;
};

describe('a version of nats-server', () => {
  it.each(['2.12.12', '2.12.13', '2.14.3', '2.14.10', '2.15.0', '3.0.0', 'v2.14.3'])(
    '%s is fixed',
    (version) => {
      expect(isFixed(version)).toBe(true);
      expect(reviewed(version, true)).toEqual([]);
    },
  );

  it.each([
    '2.9.10',
    '2.10.29',
    '2.11.17',
    '2.12.11',
    '2.13.99',
    '2.14.2',
    '2.14.3-RC.1',
    '1.4.1',
    '',
    'dev',
  ])('%s has known vulnerabilities: it is warned about, and refused in production', (version) => {
    expect(reviewed(version, false)).toEqual([expect.stringContaining('known vulnerabilities')]);
    expect(() => reviewed(version, true)).toThrow('Install 2.12.12, or 2.14.3, or newer.');
  });

  it('that containers and downloads use is fixed', () => {
    const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');
    const pinned = [
      /image: nats:([\d.]+)-alpine/.exec(read('docker-compose.yml'))?.[1],
      /RELEASE = 'v([\d.]+)'/.exec(read('tools/start/src/servers/nats-program.ts'))?.[1],
    ];
    expect(pinned.map((version) => isFixed(version ?? ''))).toEqual([true, true]);
  });
});
