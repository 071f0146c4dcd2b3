// Makes a service's mirror what the stream says, beside the live consumer and without its policies. A row is never brought
// further than its events have certainly been handled: those to come would find their version there and have no effect.

import { setTimeout as pause } from 'node:timers/promises';
import { progressOf, replay } from '@practice/events';
import type { Progress } from '@practice/events';
import type { Connection } from '@practice/messaging';
import { Client } from 'pg';
import { subjectsOf, subscriptionOf } from '../../projections/subscriber.js';
import { mirrorOf } from '../../projections/mirror-table.js';
import type { Mirrored } from '../../projections/mirror-table.js';
import { aloneBeside } from '../alone.js';
import { correct, findDifferences, settle } from './findings.js';
import type { Finding } from './findings.js';
import { addToHistory, foldHistory, openHistory } from './history.js';
import type { History } from './history.js';
import { ownersOn } from './owners.js';
import type { Owners } from './owners.js';

export interface MirrorInput {
  readonly service: string;
  /** Connection string of the schema's owner. */
  readonly url: string;
  /** Logged in as the service. */
  readonly connection: Connection;
  readonly mirrored: Mirrored;
  /** Compare only, and change nothing. */
  readonly check: boolean;
}

export interface MirrorReport {
  /** Rows that are (or were) not what the stream says. */
  readonly findings: readonly Finding[];
  /** Rows that neither the stream nor their owner, who was away, could explain; left alone. */
  readonly unexplained: number;
  /** Records of which the stream has not every event; left alone. */
  readonly partial: number;
  /** Whether events were still to be handled: rows that wait for them were compared as they should be without. */
  readonly isBehind: boolean;
}

interface Work extends MirrorInput {
  readonly history: History;
  readonly owners: Owners;
}

/** Each pass may free a practice whose events waited behind a damaged row. */
const PASSES = 10;
const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 5_000;
/** A failed event is tried again after 30 s at the latest. */
const PATIENCE_AFTER_CORRECTION_MS = 35_000;

/** Rebuilds (or checks) the mirror of a service from the stream; reports how the live one differed. */
export async function rebuildMirror(input: MirrorInput): Promise<MirrorReport> {
  const { service, url, connection } = input;
  const client = new Client({
    connectionString: url,
    application_name: `${service} mirror rebuild`,
    statement_timeout: 0,
  });
  await client.connect();
  const owners = ownersOn(connection);
  try {
    return await aloneBeside(client, service, async (schema) => {
      const history = { client, schema, columns: input.mirrored };
      await openHistory(history);
      return inPasses({ ...input, history, owners });
    });
  } finally {
    owners.close();
    await client.end();
  }
}

async function inPasses(work: Work): Promise<MirrorReport> {
  const findings = new Map<string, Finding>();
  const { history, connection, check } = work;
  const subjects = subjectsOf(work.mirrored);
  const goal = await addToHistory(history, replay({ connection, subjects }));
  let end = goal;
  for (let pass = 1; ; pass++) {
    const progress = await caughtUp(work, goal, pass === 1 ? PATIENCE_MS : PATIENCE_AFTER_CORRECTION_MS);
    end = Math.max(end, await addToHistory(history, replay({ connection, subjects, after: end })));
    const partial = await foldHistory(history);
    const { found, unexplained } = await judge(work, progress.handled);
    for (const finding of found) findings.set(`${finding.therapistId} ${finding.id}`, finding);
    if (check || found.length === 0 || pass === PASSES) {
      return {
        findings: [...findings.values()],
        unexplained,
        partial,
        isBehind: progress.handled < goal,
      };
    }
    await correct(history, mirrorOf(work.service));
  }
}

/** Waits until the live subscription has handled everything up to a sequence, as long as it gets on. */
async function caughtUp(
  { service, connection }: MirrorInput,
  goal: number,
  patience: number,
): Promise<Progress> {
  let progress = await progressOf(connection, subscriptionOf(service));
  let deadline = Date.now() + patience;
  while (progress.isServed && progress.handled < goal && Date.now() < deadline) {
    await pause(LOOK_EVERY_MS);
    const next = await progressOf(connection, subscriptionOf(service));
    if (next.handled > progress.handled) deadline = Date.now() + patience;
    progress = next;
  }
  return progress;
}

/** What contradicts the history, once owners have been asked about what it does not explain. */
async function judge(
  { service, history, owners }: Work,
  handled: number,
): Promise<{ found: readonly Finding[]; unexplained: number }> {
  const all = await findDifferences(history, { mirror: mirrorOf(service), handled });
  const open = all.filter(({ kind }) => kind === 'unexplained');
  const settled = await owners.settle(open);
  await settle(history, settled);
  const wrong = settled
    .filter(({ isRight }) => !isRight)
    .map(({ finding }) => ({ ...finding, kind: 'not in the stream' as const }));
  const asked = new Set(settled.map(({ finding }) => finding));
  await leaveAlone(
    history,
    open.filter((finding) => !asked.has(finding)),
  );
  return {
    found: [...all.filter(({ kind }) => kind !== 'unexplained'), ...wrong],
    unexplained: open.length - asked.size,
  };
}

const leaveAlone = (history: History, findings: readonly Finding[]): Promise<void> =>
  settle(
    history,
    findings.map((finding) => ({ finding, isRight: true })),
  );
