// The confirmation of writes: with a form or a link if the client shows them, otherwise with the proposal as the result
// of the tool. Both revisions of the protocol have `commit`.

import { CLIENT_CAPABILITIES_META_KEY, inputRequired } from '@modelcontextprotocol/server';
import type { ClientCapabilities, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { problemFor } from '@practice/core';
import { type Json, object, refusalResult, replacing, text, type Tool, type ToolResult } from './tool.js';
import type { WriteTool } from './write-tools.js';
import { writesAnything } from './scopes.js';
import { commit, declined, messageOf, ownProposal, propose, proposedResult, refusedDraft } from './writes.js';
import type { Writing } from './session.js';
import type { StoredProposal } from './proposal-store.js';

/** `commit` as a tool. Hosts ask before they call a destructive tool. */
export const commitTool: Omit<Tool, 'output'> = {
  name: 'commit',
  title: 'Carry out a proposal',
  description:
    'Carries out exactly what was proposed, once. If a record has changed, it answers with a new proposal.',
  scope: 'appointments:write',
  isFor: writesAnything,
  input: object({ proposal_id: { ...text(), maxLength: 100 } }, ['proposal_id']),
  annotations: { ...replacing, idempotentHint: true },
};

type Round = Pick<ServerContext['mcpReq'], 'envelope' | 'inputResponses' | 'requestState'>;

interface Asking {
  readonly writing: Writing;
  readonly round: Round;
}

/** Runs a tool that writes: makes a proposal, or continues after a form or a link. */
export async function runWrite(
  tool: WriteTool,
  args: Json,
  { writing, round }: Asking,
): Promise<ToolResult | InputRequiredResult> {
  const state = round.requestState<string>();
  if (state !== undefined) return resumed({ tool, args, id: state }, { writing, round });
  let proposal: StoredProposal;
  try {
    proposal = await propose(tool, args, writing);
  } catch (error) {
    return refusedDraft(error, args, writing.calls);
  }
  return asked(proposal, { writing, round }) ?? proposedResult(proposal, writing);
}

const QUESTION = 'confirm';

/** The form or the link for a proposal; undefined if the client shows neither. */
function asked(
  proposal: StoredProposal,
  { writing: { baseUrl }, round }: Asking,
): InputRequiredResult | undefined {
  const envelope = round.envelope as Readonly<Record<string, ClientCapabilities>> | undefined;
  const { elicitation } = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
  const message = messageOf(proposal);
  if (proposal.needsPage) {
    if (elicitation?.url === undefined) return undefined;
    const url = `${baseUrl}/oauth/proposal?id=${proposal.id}`;
    return inputRequired({
      inputRequests: { [QUESTION]: inputRequired.elicitUrl({ message, url }) },
      requestState: proposal.id,
    });
  }
  const hasForms =
    elicitation?.form !== undefined || (elicitation !== undefined && elicitation.url === undefined);
  if (!hasForms) return undefined;
  const confirm = { type: 'boolean', title: 'Carry this out', default: false } as const;
  const form = inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { confirm }, required: ['confirm'] },
  });
  return inputRequired({ inputRequests: { [QUESTION]: form }, requestState: proposal.id });
}

interface Resumed {
  readonly tool: WriteTool;
  readonly args: Json;
  /** The id of the proposal. */
  readonly id: string;
}

/** Continues after the client has asked its person: commits the proposal, refuses it, or returns it again. */
async function resumed({ tool, args, id }: Resumed, { writing, round }: Asking): Promise<ToolResult> {
  const proposal = await ownProposal(id, writing);
  if (proposal.tool !== tool.name || JSON.stringify(proposal.args) !== JSON.stringify(args))
    return refusalResult(problemFor('42501', { message: 'The proposal has other arguments' }));
  const answer = answerIn(round, proposal);
  if (answer === 'yes') return commit(id, writing);
  if (answer === undefined) return proposedResult(proposal, writing, 'not asked');
  await writing.store.answer(writing.requestId, id, 'declined');
  return refusalResult(declined, { state: 'declined' });
}

/** The answer of a client's person; undefined if the client has not asked, or the person has not answered. */
function answerIn({ inputResponses }: Round, { needsPage }: StoredProposal): 'yes' | 'no' | undefined {
  const { action, content } = (inputResponses?.[QUESTION] ?? {}) as {
    action?: string;
    content?: { confirm?: unknown };
  };
  if (action === undefined || action === 'cancel') return undefined;
  return action === 'accept' && (needsPage || content?.confirm === true) ? 'yes' : 'no';
}
