import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { scrapeText } from '@practice/testing';
import { serveSupervisorMetrics } from './supervisor.js';
import { noteVerification } from './verifications.js';

const dataDir = mkdtempSync(join(tmpdir(), 'practice-supervisor-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

it('a log that was never checked has the time at which the data began, so that the alert fires', async () => {
  const format = join(dataDir, 'format');
  writeFileSync(format, '2\n');
  noteVerification(dataDir, 'finance', true);
  const { target, stop } = await serveSupervisorMetrics({ dataDir, reserveBytes: 0, archiver: undefined });
  const lines = (await scrapeText(target.address)).split('\n').filter((line) => line.includes('{log='));
  await stop();
  const began = statSync(format).mtimeMs / 1000;
  expect(lines).toContain(`practice_log_verified_timestamp_seconds{log="clients"} ${began}`);
  expect(lines.filter((line) => line.startsWith('practice_log_verification_failed'))).toEqual([
    'practice_log_verification_failed{log="finance"} 0',
  ]);
});
