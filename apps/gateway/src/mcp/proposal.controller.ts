// The page on which a person confirms what an assistant proposes: a plain form without script.

import { Controller, Get, Post, Req } from '@nestjs/common';
import { Endpoint } from '../http/endpoint.js';
import { type HttpRequest, queryOf } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { form } from '../oauth/forms.js';
import { failed, forged, formOf, page } from '../oauth/page.js';
import { secondFactor, Visitors } from '../oauth/visitors.js';
import { escaped } from '../openapi/pages.js';
import { type Change, ProposalStore, type StoredProposal } from './proposal-store.js';
import { isObject, type Json } from './tool.js';

@Controller('oauth')
export class ProposalController {
  constructor(
    private readonly visitors: Visitors,
    private readonly store: ProposalStore,
  ) {}

  @Get('proposal')
  @Endpoint({ access: 'open', limitOfAddress: 'reads' })
  async show(@Req() request: HttpRequest): Promise<HttpResponse> {
    const id = new URLSearchParams(queryOf(request.raw.url ?? '')).get('id') ?? '';
    return this.opened(request, id, (proposal) =>
      page({ title: 'Let the assistant do this?', content: contentOf(proposal) }),
    );
  }

  @Post('proposal')
  @Endpoint({ access: 'open', limitOfAddress: 'writes' })
  async answer(@Req() request: HttpRequest): Promise<HttpResponse> {
    if (this.visitors.isForged(request)) return forged;
    const given = formOf(request);
    return this.opened(request, given.get('id') ?? '', async (proposal) => {
      const answer = given.get('action') === 'confirm' ? 'confirmed' : 'declined';
      await this.store.answer(request.id, proposal.id, answer);
      const content = '<p>You can close this page and return to the assistant.</p>';
      return page({ title: answer === 'confirmed' ? 'Confirmed' : 'Declined', content });
    });
  }

  /** The response about an open proposal of the same person, in a session that may act in its practice. */
  private opened(
    request: HttpRequest,
    id: string,
    respond: (proposal: StoredProposal) => HttpResponse | Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    return this.visitors.signedIn(request, async ({ identity }) => {
      const found = await this.store.find(request.id, id);
      const isOpen = found?.answer === undefined && found?.key === undefined;
      if (!isOpen || found?.holder.userId !== identity.userId) return notFound;
      const requiresMfa = await this.store.requiresMfa(request.id, found.holder);
      if (requiresMfa === null) return notFound;
      return requiresMfa && identity.aal === undefined ? secondFactor(request) : respond(found);
    });
  }
}

const notFound = failed({
  status: 404,
  message: 'The proposal has ended, was answered, or belongs to another person.',
});

const MOST_SHOWN = 100;

function contentOf({ id, changes, records }: StoredProposal): string {
  const more = changes.length - MOST_SHOWN;
  return `<p>An assistant proposes a write of ${records} ${records === 1 ? 'record' : 'records'}.</p>
${changes.slice(0, MOST_SHOWN).map(shown).join('')}${more > 0 ? `<p>And ${more} more.</p>` : ''}
${form('proposal', { id }, `<button name="action" value="confirm">Confirm</button> <button name="action" value="decline">Decline</button>`)}`;
}

function shown({ resource, before, after }: Change): string {
  const verb = before === null ? 'New' : after === null ? 'Deleted' : 'Changed';
  const [was, will] = [flat(before), flat(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(will)])].filter((name) => name !== 'id');
  const lines = names.map((name) => {
    const values = [was[name], will[name]].filter((value) => value !== undefined);
    return `<label>${escaped(name)}: <strong>${values.map((value) => escaped(textOf(value))).join(' → ')}</strong></label>`;
  });
  return `<fieldset><legend>${verb}: ${escaped(resource)}</legend>${lines.join('')}</fieldset>`;
}

/** The values of a record, with its quoted texts at the same level. */
function flat(row: Json | null): Json {
  const { quoted, ...plain } = row ?? {};
  return { ...plain, ...(isObject(quoted) ? quoted : {}) };
}

/** The whole value, since a person confirms everything that is written. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
