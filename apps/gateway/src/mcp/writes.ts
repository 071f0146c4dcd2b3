// The steps of every write of an assistant: propose, confirm, commit.

import { type Identity, isSuccess, type Problem, problemFor, reject, Rejection } from '@practice/core';
import { nextSlots } from './calendar-tools.js';
import type { InnerCalls, InnerReply } from './inner-calls.js';
import { holderOf } from './proposal-store.js';
import type { Draft, Expected, StoredProposal } from './proposal-store.js';
import type { Writing } from './session.js';
import { isObject, type Json, quotedAll, refusalResult, type ToolResult } from './tool.js';
import { type WriteTool, writeTools } from './write-tools.js';

/** Stores the proposal of a write. @throws {Rejection} with the problem that the write would have */
export async function propose(tool: WriteTool, args: Json, writing: Writing): Promise<StoredProposal> {
  const draft = await tool.draft(args, writing.calls);
  const { identity } = writing.calls;
  const needsPage = await isWeighty(draft, writing.calls);
  const proposal = { ...draft, tool: tool.name, args, needsPage, holder: holderOf(identity) };
  return writing.store.keep(writing.requestId, proposal);
}

/** Whether a person must confirm the write on the page of the API. */
async function isWeighty({ isGrave, records }: Draft, calls: InnerCalls): Promise<boolean> {
  // A token without a mode always asks.
  const { ask = 'always' } = calls.identity;
  if (ask !== 'above') return ask === 'always';
  return isGrave || (records > 1 && records > (await limitOf(calls)));
}

async function limitOf(calls: InnerCalls): Promise<number> {
  const path = 'practice_settings?select=assistant_limit';
  const [settings] = await calls.read<{ assistant_limit: number }>(path);
  return settings?.assistant_limit ?? 1;
}

/** The refusal of a write whose time is taken, with the next free times. @throws the error itself if it is another one */
export async function refusedDraft(error: unknown, args: Json, calls: InnerCalls): Promise<ToolResult> {
  if (!(error instanceof Rejection) || error.problem.code !== 'PM002') throw error;
  const free = await freeTimes(args, calls).catch(() => []);
  return refusalResult(error.problem, { free });
}

/** The next times in which an appointment fits that is booked or changed with these arguments. */
async function freeTimes(args: Json, calls: InnerCalls): Promise<Json[]> {
  const { service_id: service, end_time: end } = args;
  const now = args['id'] === undefined ? {} : await visitWith(String(args['id']), calls);
  const { date, practitioner_id: practitioner, ...times } = { ...now, ...args };
  // A change without an end keeps the length.
  const duration = minutesOf(end === undefined ? now : times);
  const asked = {
    ...(date !== undefined && { from: date }),
    ...(typeof service === 'string' ? { service_id: service } : { duration }),
    ...(typeof practitioner === 'string' && { practitioner_id: practitioner }),
  };
  return nextSlots(calls, asked, FREE_TIMES);
}

async function visitWith(id: string, calls: InnerCalls): Promise<Json> {
  const columns = 'date,start_time,end_time,practitioner_id';
  const [visit = {}] = await calls.read<Json>(`appointments?id=eq.${id}&select=${columns}`);
  return visit;
}

const FREE_TIMES = 5;
const USUAL_MINUTES = 50;

/** The minutes of the requested appointment. */
function minutesOf({ start_time: start, end_time: end }: Json): number {
  const [from, to] = [start, end].map((time) => {
    const [hours = NaN, minutes = NaN] = String(time).split(':').map(Number);
    return hours * 60 + minutes;
  }) as [number, number];
  return to > from ? to - from : USUAL_MINUTES;
}

/** A proposal as a client sees it. */
function shownProposal(proposal: StoredProposal, baseUrl: string): Json {
  const { id, expiresAt, changes, needsPage } = proposal;
  return {
    proposal_id: id,
    expires_at: new Date(expiresAt).toISOString(),
    changes,
    free: [],
    needs_page: needsPage,
    confirm_url: `${baseUrl}/oauth/proposal?id=${id}`,
  };
}

/** The proposal as the result of a tool, for clients that show no forms. */
export function proposedResult(proposal: StoredProposal, { baseUrl }: Writing, state?: string): ToolResult {
  const how = proposal.needsPage
    ? 'Its person confirms it at confirm_url; then call commit.'
    : 'Call commit.';
  return {
    text: `Proposed, nothing is changed yet. ${how}`,
    data: { ...(state !== undefined && { state }), proposal: shownProposal(proposal, baseUrl) },
  };
}

/** The message of a form: columns, times and ids only. */
export const messageOf = ({ changes }: StoredProposal): string => {
  const lines = changes.slice(0, MOST_LINES).map(({ resource, id, before, after }) => {
    const names = Object.keys({ ...before, ...after }).filter((name) => name !== 'id' && name !== 'quoted');
    const texts = Object.keys({ ...quotedOf(before), ...quotedOf(after) });
    const values = names
      .filter((name) => !isObject(after?.[name]) && !isObject(before?.[name]))
      .map((name) => `${name} ${valueOf(before, name)}→ ${valueOf(after, name)}`);
    return `${resource} ${String(id)}: ${[...values, ...texts].join(', ')}`;
  });
  const more = changes.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
};

const MOST_LINES = 10;
const quotedOf = (row: Json | null): Json => (row?.['quoted'] ?? {}) as Json;
const valueOf = (row: Json | null, name: string): string =>
  row?.[name] == null ? '' : `${String(row[name])} `;

/** @throws {Rejection} PM404 for a proposal that has ended or belongs to another person, practice or app */
export async function ownProposal(id: string, { store, calls, requestId }: Writing): Promise<StoredProposal> {
  const found = await store.find(requestId, id);
  return found !== undefined && isHolder(found, calls.identity) ? found : reject(noProposal);
}

const isHolder = ({ holder }: StoredProposal, identity: Identity): boolean =>
  JSON.stringify(holder) === JSON.stringify(holderOf(identity));

const noProposal = problemFor('PM404', {
  message: 'There is no proposal with this id: it has ended, or it belongs to another access',
});

/** Carries a proposal out, once. */
export async function commit(id: string, writing: Writing): Promise<ToolResult> {
  const proposal = await ownProposal(id, writing);
  const refusal = refusalOf(proposal, writing);
  if (refusal !== undefined) return refusal;
  const key = writing.key ?? id;
  const isChanged = await hasChanged(proposal, writing.calls);
  if (isChanged && proposal.key === undefined) return again(proposal, writing);
  // Before the claim, since a refused write must leave the proposal as it is.
  await writing.calls.countWrite();
  const claimed = await writing.store.claim(writing.requestId, id, key);
  if (claimed?.key !== key) return refusalResult(used);
  const { command } = proposal;
  // A repetition gets the first response again. If the first attempt did nothing, changed records must still refuse it: no record
  // has the version 0.
  const headers = { ...command.headers, ...(isChanged && { 'if-match': '"0"' }), 'idempotency-key': key };
  const reply = await writing.calls.send({ ...command, headers, isCounted: true });
  if (reply.status === 412) return again(proposal, writing);
  return doneResult(reply);
}

/** The refusal of a proposal that its person has declined, or has not confirmed although this is needed. */
function refusalOf(proposal: StoredProposal, writing: Writing): ToolResult | undefined {
  if (proposal.answer === 'declined') return refusalResult(declined, { state: 'declined' });
  if (!proposal.needsPage || proposal.answer === 'confirmed') return undefined;
  const { data } = proposedResult(proposal, writing);
  return refusalResult(unconfirmed, { state: 'unconfirmed', ...data });
}

function doneResult(reply: InnerReply): ToolResult {
  if (!isSuccess(reply.status)) return refusalResult({ ...(reply.json as Problem), status: reply.status });
  const changeId = reply.headers['Change-Id'];
  return {
    text: changeId === undefined ? 'Done' : `Done: ${changeId}`,
    data: { ...(changeId !== undefined && { change_id: changeId }), records: quotedAll(reply.json) },
  };
}

export const declined = problemFor('42501', { message: 'The person has declined this proposal' });
const unconfirmed = problemFor('42501', {
  message: 'The person has not confirmed this proposal yet',
  hint: 'Ask them to open confirm_url, then call commit again.',
});
const used = problemFor('PM005', { message: 'This proposal was carried out with another Idempotency-Key' });

/** Whether a record has another version than the proposal expects. A write of a single record checks the version itself, with `If-Match`. */
async function hasChanged({ expected }: StoredProposal, calls: InnerCalls): Promise<boolean> {
  if (expected.length <= 1) return false;
  const names = [...new Set(expected.map(({ resource }) => resource))];
  const changed = await Promise.all(
    names.map(async (name) => {
      const records = expected.filter(({ resource }) => resource === name);
      const ids = records.map(({ id }) => id).join();
      const path = `${name}?id=in.(${ids})&select=id,version&limit=${records.length}`;
      const now = await calls.read<Expected>(path);
      const versions = new Map(now.map(({ id, version }) => [id, version]));
      return records.some(({ id, version }) => versions.get(id) !== version);
    }),
  );
  return changed.includes(true);
}

/** The refusal if a record has changed (412), with a new proposal. */
async function again({ tool: name, args }: StoredProposal, writing: Writing): Promise<ToolResult> {
  const tool = writeTools.get(name) ?? reject(noProposal);
  const proposal = await propose(tool, args, writing);
  const problem = problemFor('PM006', { message: 'A record has changed since the proposal' });
  return refusalResult(problem, { proposal: shownProposal(proposal, writing.baseUrl) });
}
