import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { metricsTargets, newPractice, scrapeText, stack } from '@practice/testing';
import { session } from '../docs/session.js';
import { projectFolder } from '../processes/app.js';

/** The command as `npm run top` runs it, without the build. */
function top(dataDir: string, ...args: readonly string[]) {
  const program = join(projectFolder, 'infra', 'dev', 'dist', 'monitoring', 'top.js');
  const code = `import(${JSON.stringify(program)}).then((m) => m.top(${JSON.stringify(args)}))`;
  return session(process.execPath, ['-e', code], { env: { DATA_DIR: dataDir } });
}

describe('npm run top', () => {
  it('shows the calls and the processes of the running system', async () => {
    const { rest, therapistId } = await newPractice();
    const showing = top(stack().dataDir, '--once', '--every', '3');
    let isShown = false;
    void showing.then(() => (isShown = true));
    while (!isShown) await rest('expenses');
    const own = metricsTargets().find(({ service }) => service === 'finance');
    expect(await scrapeText(own?.address ?? '', '/practices')).toContain(therapistId);
    const { status, output } = await showing;
    expect(status).toBe(0);
    expect(output).toMatch(/^expenses +\d+\.\d +\d+\.\d ms +\d+\.\d ms/m);
    for (const { process } of metricsTargets())
      expect(output).toMatch(new RegExp(`^${process} +\\d+ % +\\d+ MB`, 'm'));
    expect(output).toMatch(/^busiest practices +requests +time in services\n[\da-f-]{36} +\d+ +\d+\.\d s$/m);
    expect(output).toMatch(/^scheduling-mirror-clients +\d+ +\d+\.\d s$/m);
  });

  it('prints the reason if no system runs, or an argument is wrong', async () => {
    const nowhere = join(tmpdir(), `never-started-${process.pid}`);
    expect(await top(nowhere, '--once')).toMatchObject({
      status: 1,
      output: `No system runs on DATA_DIR=${nowhere}. Start it with npm start.\n`,
    });
    expect(await top(nowhere, '--every', '0')).toMatchObject({
      status: 1,
      output: expect.stringContaining('--every takes seconds, from 0.1 to 3600.\nUsage: npm run top'),
    });
  });
});
