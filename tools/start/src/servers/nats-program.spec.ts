import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { best } from './nats-program.js';

const folder = mkdtempSync(join(tmpdir(), 'practice-nats-'));
afterAll(() => rmSync(folder, { recursive: true }));

const program = (version: string): string => {
  const path = join(folder, version);
  writeFileSync(path, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  chmodSync(path, 0o755);
  return path;
};

describe('the choice of a nats-server', () => {
  it.each([
    [['2.9.10', '2.14.3'], '2.14.3', true],
    [['2.9.10', '2.10.1', '2.12.12', '2.15.0'], '2.12.12', true],
    [['2.8.4', '2.9.10', '2.10.1'], '2.9.10', false],
    [['3.0.1'], '3.0.1', true],
    [['2.14.3-RC.1'], '2.14.3-RC.1', false],
  ])('from %j is %s', async (versions, version, isFixed) => {
    expect(await best(versions.map(program))).toEqual({ program: join(folder, version), isFixed });
  });

  it('skips a program that is too old or does not run', async () => {
    expect(await best([program('2.8.4'), join(folder, 'missing'), '/bin/false'])).toBeUndefined();
  });
});
