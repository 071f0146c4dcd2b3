import { parseArgs } from 'node:util';
import { resourcesOf } from '@practice/contracts';
import { readKeyEncryption, readOwnerUrl } from './command.config.js';
import type { SchemaParts } from '@practice/storage';
import { rebuildMirror } from '../rebuild/mirror/rebuild-mirror.js';
import { refuse, say } from './output.js';
import { progressBar } from './progress-bar.js';
import { rebuild } from '../rebuild/rebuild.js';
import { restoreValues } from '../rebuild/restore-values.js';
import { withBus } from './with-bus.js';

/**
 * Runs the rebuild command of a service: it replaces the read tables and corrects the mirror. With `--check` it only compares, and
 * prints the rows that differ. The exit status is 1 if a check finds a difference or an argument is unknown.
 */
export async function runRebuild(parts: SchemaParts, args: readonly string[]): Promise<void> {
  const wanted = rebuildArguments(args);
  if (typeof wanted === 'string') return refuse(wanted);
  const { check } = wanted;
  const found = (await rebuildTables(parts, check)) + (await rebuildItsMirror(parts, check));
  if (check && found > 0) process.exitCode = 1;
}

/** The parsed arguments, or a description of the mistake in them. A mistyped `--check` must not replace tables. */
export function rebuildArguments(args: readonly string[]): { readonly check: boolean } | string {
  try {
    return parseArgs({ args: [...args], options: { check: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    return (error as Error).message;
  }
}

async function rebuildTables({ service }: SchemaParts, check: boolean): Promise<number> {
  const url = readOwnerUrl();
  const lacking = await restoreValues({ service, url, keyEncryption: readKeyEncryption(), check });
  if (lacking > 0)
    say(
      `${service}: plain values of ${lacking} events ${check ? 'are missing' : 'were missing and are restored'}`,
    );
  const bar = progressBar(process.stderr);
  const input = { service, url, resources: resourcesOf(service), check, onProgress: bar.show };
  const { practices, differences } = await rebuild(input).finally(bar.clear);
  for (const { resource, therapistId, id, kind, columns } of differences)
    say(`${resource} ${id} of practice ${therapistId}: ${kind} ${columns.join(', ')}`);
  const outcome = check
    ? `${differences.length} rows differ`
    : `${differences.length} rows differed; tables replaced`;
  say(`${service}: folded the log of ${practices} practices; ${outcome}`);
  return differences.length + lacking;
}

async function rebuildItsMirror({ service, mirrored = {} }: SchemaParts, check: boolean): Promise<number> {
  if (Object.keys(mirrored).length === 0) return 0;
  return withBus(service, 'rebuild', async (connection) => {
    const input = { service, url: readOwnerUrl(), connection, mirrored, check };
    const { findings, unexplained, partial, isBehind } = await rebuildMirror(input);
    for (const { resource, therapistId, id, kind, columns } of findings)
      say(`mirrored ${resource} ${id} of practice ${therapistId}: ${kind} ${columns.join(', ')}`);
    if (partial > 0)
      say(`${service}: the stream has ${partial} records only in part; republish their service`);
    if (unexplained > 0)
      say(`${service}: ${unexplained} rows were not changed because their owner is unavailable`);
    if (isBehind)
      say(`${service}: some events are not handled yet; rows that wait for them were not changed`);
    const outcome = check ? 'rows differ' : 'rows differed and were corrected';
    say(`${service}: folded the events of the mirror; ${findings.length} ${outcome}`);
    return findings.length;
  });
}
