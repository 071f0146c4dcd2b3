// The product's own checks: rows equal the fold of their log, mirrors equal their owners, and the hash chains are intact.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram, storedServices, tailOf } from '@practice/operator';
import { serversOf, type Stack } from '@practice/start';
import { send, type ApiAccess, type Practice } from '../load/practice.js';
import { finding, type Finding } from './finding.js';

const programs = [
  { program: 'rebuild', args: ['--check'] },
  { program: 'verify', args: [] },
] as const;

/**
 * Runs `projections -- rebuild --check` and `log -- verify` for every service, both at once.
 * @param folder receives their output, in a file for each program
 */
export async function checkByPrograms(stack: Stack, folder: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const service of storedServices) {
    const found = await Promise.all(programs.map((wanted) => check({ service, ...wanted }, stack, folder)));
    findings.push(...found.flat());
  }
  return findings;
}

async function check(
  wanted: Parameters<typeof runProgram>[0],
  stack: Stack,
  folder: string,
): Promise<Finding[]> {
  const file = join(folder, `${wanted.program}.log`);
  const output = openSync(file, 'a');
  const code = await runProgram(wanted, serversOf(stack), output).finally(() => closeSync(output));
  if (code === 0) return [];
  const what = `${wanted.program} of ${wanted.service.name} ends with ${code}: ${tailOf(file, 5).replaceAll('\n', ' | ')}`;
  return [finding('inconsistent')(what)];
}

interface Verified {
  readonly service: string;
  /** Null if the call did not get to the end. */
  readonly intact: boolean | null;
}

/** Asks `rpc/verify_log`, as the practice itself can. */
export async function checkChain(api: ApiAccess, practice: Practice): Promise<Finding[]> {
  const { status, text } = await send(api, practice, { method: 'GET', path: '/rest/v1/rpc/verify_log' });
  if (status !== 200) return [finding('inconsistent')(`rpc/verify_log was answered ${status}: ${text}`)];
  return (JSON.parse(text) as Verified[])
    .filter(({ intact }) => intact === false)
    .map((row) =>
      finding('inconsistent')(`the log of ${practice.therapistId} is broken: ${JSON.stringify(row)}`),
    );
}
