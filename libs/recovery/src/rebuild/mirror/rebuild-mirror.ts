// Corrects a service's mirror from the stream while the subscription goes on. It never runs policies. A row is corrected only up to
// the last event that was certainly handled. Otherwise a later event would find its version already applied and have no effect.

import { withOpenClient } from '@practice/log';
import { setTimeout as pause } from 'node:timers/promises';
import { catalog } from '@practice/contracts';
import {
  askForPast,
  createRequester,
  hasLostPast,
  OwnerUnavailable,
  progressOf,
  replay,
} from '@practice/bus';
import type { Progress, Connection } from '@practice/bus';
import { RecordOwners } from '@practice/mirror';
import { subjectsBySource, subscriptionOf } from '@practice/projections';
import { mirrorOf, type Mirrored } from '@practice/storage';
import type { RebuildInput } from '../rebuild.js';
import { correct, findDifferences, settle, type Finding } from './findings.js';
import { addToHistory, foldHistory, openHistory, type History } from './history.js';
import { ANSWER_WITHIN_MS, askOwners } from './owners.js';

export interface MirrorInput extends Pick<RebuildInput, 'service' | 'url' | 'check'> {
  /** A connection that is logged in as the service. */
  readonly connection: Connection;
  readonly mirrored: Mirrored;
}

interface Work extends MirrorInput {
  /** The service that owns the records. */
  readonly source: string;
  readonly subjects: readonly string[];
  readonly history: History;
  readonly owners: RecordOwners;
}

/** The maximum number of passes. A correction may let a practice go on whose events waited for a damaged row. */
const PASSES = 10;
const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 5_000;
/** Longer than 30 s, the longest interval between attempts at a failed event. */
const PATIENCE_AFTER_CORRECTION_MS = 35_000;

/** Rebuilds (or checks) the mirror of a service from the stream. @returns how the mirror differed */
export async function rebuildMirror(input: MirrorInput) {
  const reports: MirrorReport[] = [];
  // Each source has its own subscription, with its own progress.
  for (const [source, subjects] of subjectsBySource(input.mirrored))
    reports.push(await rebuildSource(input, source, subjects));
  return summary(reports);
}

function rebuildSource(input: MirrorInput, source: string, subjects: readonly string[]) {
  const { service, url, connection } = input;
  const name = `${service} mirror rebuild`;
  const config = { connectionString: url, application_name: name, statement_timeout: 0 };
  return withOpenClient(config, async (client) => {
    const requester = createRequester({ connection, user: service, timeoutMs: ANSWER_WITHIN_MS });
    const owners = new RecordOwners(requester, {});
    try {
      const history = { client, service, columns: columnsFrom(source, input.mirrored) };
      await openHistory(history);
      await completeStream(connection, subjects);
      return await inPasses({ ...input, source, subjects, history, owners });
    } finally {
      requester.close();
    }
  });
}

/** Asks the owner to publish again the events that have left the stream. Without the owner, the check uses only the stream's events. */
async function completeStream(connection: Connection, subjects: readonly string[]): Promise<void> {
  if (!(await hasLostPast(connection))) return;
  try {
    const refill = await askForPast(connection, subjects);
    await refill.arrived();
  } catch (error) {
    if (!(error instanceof OwnerUnavailable)) throw error;
  }
}

const columnsFrom = (source: string, mirrored: Mirrored): Mirrored =>
  Object.fromEntries(
    Object.entries(mirrored).filter(([name]) => catalog.resources.get(name)?.service === source),
  );

const summary = (reports: readonly MirrorReport[]) => ({
  findings: reports.flatMap(({ findings }) => findings),
  unexplained: reports.reduce((sum, { unexplained }) => sum + unexplained, 0),
  partial: reports.reduce((sum, { partial }) => sum + partial, 0),
  isBehind: reports.some(({ isBehind }) => isBehind),
});

type MirrorReport = Awaited<ReturnType<typeof inPasses>>;

async function inPasses(work: Work) {
  const findings = new Map<string, Finding>();
  const { history, connection, check, subjects } = work;
  const consumer = `${connection.user}~replay`;
  const goal = await addToHistory(history, replay({ connection, subjects, consumer }));
  let end = goal;
  for (let pass = 1; ; pass++) {
    const progress = await caughtUp(work, goal, pass === 1 ? PATIENCE_MS : PATIENCE_AFTER_CORRECTION_MS);
    end = Math.max(end, await addToHistory(history, replay({ connection, subjects, consumer, after: end })));
    const partial = await foldHistory(history);
    const { found, unexplained } = await judge(work, progress.handled);
    for (const finding of found)
      findings.set([finding.therapistId, finding.resource, finding.id].join(' '), finding);
    if (check || found.length === 0 || pass === PASSES) {
      return {
        /** The rows that differ (or, if corrected, differed) from the stream. */
        findings: [...findings.values()],
        /** The number of rows that the stream does not explain and whose owner was unavailable. They are not changed. */
        unexplained,
        /** The number of records that the stream has only partly. They are not changed. */
        partial,
        /** Whether some events were not handled yet. Rows that wait for these events were compared without them. */
        isBehind: progress.handled < goal,
      };
    }
    await correct(history, mirrorOf(work.service));
  }
}

/** Waits until the live subscription has handled every event up to `goal`, or makes no progress for `patience` milliseconds. */
async function caughtUp(
  { service, source, connection }: Work,
  goal: number,
  patience: number,
): Promise<Progress> {
  let progress = await progressOf(connection, subscriptionOf(service, source));
  let deadline = Date.now() + patience;
  while (progress.isServed && progress.handled < goal && Date.now() < deadline) {
    await pause(LOOK_EVERY_MS);
    const next = await progressOf(connection, subscriptionOf(service, source));
    if (next.handled > progress.handled) deadline = Date.now() + patience;
    progress = next;
  }
  return progress;
}

/** The rows that contradict the history. Owners are asked about the rows that the history does not explain. */
async function judge({ service, history, owners }: Work, handled: number) {
  const all = await findDifferences(history, { mirror: mirrorOf(service), handled });
  const open = all.filter(({ kind }) => kind === 'unexplained');
  const answered = await askOwners(owners, open);
  const asked = new Set(answered.map(({ finding }) => finding));
  const unanswered = open.filter((finding) => !asked.has(finding));
  // A row whose owner is unavailable is not changed, like one that is right.
  await settle(history, [...answered, ...unanswered.map((finding) => ({ finding, isRight: true }))]);
  const wrong = answered
    .filter(({ isRight }) => !isRight)
    .map(({ finding }) => ({ ...finding, kind: 'not in the stream' as const }));
  return {
    found: [...all.filter(({ kind }) => kind !== 'unexplained'), ...wrong],
    unexplained: unanswered.length,
  };
}
