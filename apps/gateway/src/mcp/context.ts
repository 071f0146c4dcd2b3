// The resources and prompts of the assistant's endpoint: what an assistant may read before it begins, and tasks to begin with.

import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { errorCatalog } from '@practice/core';
import type { InnerCalls } from './inner-calls.js';
import { readableBy } from './scopes.js';
import { refusalIn, type Session } from './session.js';
import { quotedAll } from './tool.js';

interface Page {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly content: (calls: InnerCalls) => object | Promise<object>;
}

const pages: readonly Page[] = [
  {
    uri: 'practice://schema',
    name: 'schema',
    description: 'The resources that this access reads; the tool `describe` has their columns.',
    content: ({ identity }) => readableBy(identity).map(({ name, description }) => ({ name, description })),
  },
  {
    uri: 'practice://settings',
    name: 'settings',
    description: 'Time zone, currency and rules for bookings of the practice.',
    content: async (calls) => quotedAll(await calls.read('practice_settings')),
  },
  {
    uri: 'practice://errors',
    name: 'errors',
    description: 'The codes of errors and their meaning.',
    content: () => errorCatalog,
  },
];

const tasks: readonly { readonly name: string; readonly description: string; readonly text: string }[] = [
  {
    name: 'briefing',
    description: 'The briefing of a day',
    text: 'Brief me on my day: call day for today, then client_summary for each client. Name gaps and open balances. Change nothing.',
  },
  {
    name: 'note_from_dictation',
    description: 'A session note from a dictation',
    text: 'I dictate a session note. Find the client and the appointment, sort what I say into subjective, objective, assessment and plan, and propose it with draft_note. Add nothing that I have not said.',
  },
  {
    name: 'month_end',
    description: 'The end of the month',
    text: 'Prepare the end of the month: read the appointments of the month that are still scheduled or confirmed, and the expenses. List what is missing, and propose changes one by one.',
  },
];

const unknown = (what: string, data?: object): never => {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${what} of this name`, data);
};

/** @throws {ProtocolError} with the code of a refusal */
async function contentOf({ content }: Page, session: Session): Promise<object> {
  try {
    return await content(session.calls);
  } catch (error) {
    const { code } = refusalIn(error, session);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Refused: ${code}`);
  }
}

/** Adds the resources and prompts to the server of a message. */
export function addContext(server: Server, session: Session): void {
  server.setRequestHandler('resources/list', () => ({
    resources: pages.map(({ uri, name, description }) => ({
      ...{ uri, name, description, mimeType: 'application/json' },
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const page = pages.find((one) => one.uri === uri) ?? unknown('resource', { uri });
    const text = JSON.stringify(await contentOf(page, session));
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: tasks.map(({ name, description }) => ({ name, description })),
  }));
  server.setRequestHandler('prompts/get', ({ params: { name } }) => {
    const { description, text } = tasks.find((one) => one.name === name) ?? unknown('prompt');
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}
