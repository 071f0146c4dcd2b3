// The consent of a person to an authorization that a client has begun.

import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { isAskedApart, scopesBeyond } from '@practice/contracts';
import { askModes, type Identity, type PracticeRole } from '@practice/core';
import type { InteractionResults } from 'oidc-provider';
import { AccountCommand, type AccountCall, type AccountHandler, AccountQuery } from '../calls/call.js';
import { type Fields, isText, isUuid } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { Transactions } from '../store/transactions.js';
import { expiryOf } from '../tokens/token-request.js';
import { lacksFactor, namedPracticesOf, standingIn } from '../users/access.js';
import { addressOf, ConfirmedAddress } from '../users/users.js';
import { Authorizations, nameOf, type Pending, shownClient } from './authorizations.js';
import { Grants, usable } from './grants.js';
import { OauthPayloads } from './payloads.js';
import { OauthProvider } from './provider.js';
import { RememberedConsents } from './remembered.js';

export class ReadAuthorization extends AccountQuery {}

/** Returns the data of the consent page: Supabase's fields, and the practices to choose from. */
@QueryHandler(ReadAuthorization)
export class ReadAuthorizationHandler implements AccountHandler<ReadAuthorization> {
  constructor(
    private readonly authorizations: Authorizations,
    private readonly transactions: Transactions,
    private readonly remembered: RememberedConsents,
    private readonly grants: Grants,
  ) {}

  /** If the person has already given the app this access, the response contains only the URL that the browser goes to. */
  async execute({ call: { identity, id } }: ReadAuthorization) {
    const pending = await this.authorizations.pending(id);
    const { client, redirectUri, personal, scopes } = pending;
    const { userId, therapistId } = identity;
    const only = await this.authorizations.practiceOf(client);
    const { email, standings } = await this.transactions.run({ userId }, async (tables) => ({
      email: (await addressOf(tables, userId)) ?? '',
      standings: (await namedPracticesOf(tables, userId)).filter(({ isHeld }) => !isHeld),
    }));
    const here = standings.find((standing) => standing.therapistId === therapistId);
    const mayPass = here !== undefined && !lacksFactor(here, identity);
    const grantId = mayPass ? await this.remembered.grantOf(identity, pending) : undefined;
    if (grantId !== undefined)
      return { body: { redirect_url: await this.repeated(identity, pending, grantId) } };
    return {
      body: {
        authorization_id: id,
        redirect_uri: redirectUri,
        client: shownClient(client),
        user: { id: userId, email },
        scope: [...personal, ...scopes].join(' '),
        therapist_id: therapistId,
        practices: standings
          .filter((standing) => only === undefined || standing.therapistId === only)
          .map((standing) => ({
            therapist_id: standing.therapistId,
            name: standing.name ?? '',
            role: standing.role,
            scopes: permitted(standing.role, scopes),
          })),
      },
    };
  }

  private repeated(identity: Identity, { interaction }: Pending, grantId: string): Promise<string> {
    return this.authorizations.end(interaction, async () =>
      resultOf(identity, grantId, await this.grants.signedInAt(identity)),
    );
  }
}

/** The sign-in and the grant, in the library's form. */
const resultOf = (
  { userId: accountId }: Identity,
  grantId: string,
  signedInAt: Date,
): InteractionResults => ({
  login: { accountId, remember: false, ts: Math.floor(signedInAt.getTime() / 1000) },
  consent: { grantId },
});

const permitted = (role: PracticeRole, scopes: readonly string[]): string[] => {
  const beyond = scopesBeyond(role, scopes);
  return scopes.filter((scope) => !beyond.includes(scope));
};

export class AnswerAuthorization extends AccountCommand {}

@CommandHandler(AnswerAuthorization)
export class AnswerAuthorizationHandler implements AccountHandler<AnswerAuthorization> {
  constructor(
    private readonly authorizations: Authorizations,
    private readonly provider: OauthProvider,
    private readonly transactions: Transactions,
    private readonly confirmed: ConfirmedAddress,
    private readonly grants: Grants,
    private readonly payloads: OauthPayloads,
    private readonly remembered: RememberedConsents,
  ) {}

  /** @throws {Rejection} when the authorization was answered before, or the answer is malformed or beyond the role of the person */
  async execute({ call }: AnswerAuthorization) {
    const fields = call.fields();
    const { action } = fields;
    if (action !== 'approve' && action !== 'deny') return refuse(problems.badConsent);
    const pending = await this.authorizations.pending(call.id);
    const approved = action === 'approve' ? await this.approved(call, pending, fields) : undefined;
    const redirect = await this.authorizations.end(pending.interaction, async () =>
      approved === undefined
        ? { error: 'access_denied', error_description: 'The person has denied the access' }
        : this.grantedTo(call, pending, approved),
    );
    return { body: { redirect_url: redirect } };
  }

  /** Checks the fields of an approval. */
  private async approved(call: AccountCall, pending: Pending, fields: Fields) {
    const { userId, therapistId: current } = call.identity;
    const answer = answerOf(fields, current);
    const { therapistId } = answer;
    const standing = await this.transactions.run({ userId }, async (tables) => {
      await this.confirmed.require(tables, userId);
      return standingIn(tables, { userId, therapistId });
    });
    const { role } = usable(standing, call.identity);
    const only = await this.authorizations.practiceOf(pending.client);
    if (only !== undefined && only !== therapistId) refuse(problems.foreignClient);
    return { ...answer, scopes: scopesFor(answer, pending, role) };
  }

  private async grantedTo(
    call: AccountCall,
    pending: Pending,
    approved: Answer & { readonly scopes: readonly string[] },
  ): Promise<InteractionResults> {
    const { therapistId, scopes, expiresAt } = approved;
    const { client, resource, personal, scopes: asked } = pending;
    const { userId: accountId } = call.identity;
    const { clientId } = client;
    const named = { id: clientId, name: nameOf(client) };
    const { id, signedInAt } = await this.grants.create(call, { ...approved, client: named });
    const provider = await this.provider.current();
    const exp = Math.floor(expiresAt.getTime() / 1000);
    const grant = new provider.Grant({ accountId, clientId, jti: id, exp } as never);
    if (personal.length > 0) grant.addOIDCScope(personal.join(' '));
    grant.addResourceScope(resource, scopes.join(' '));
    const rest = asked.filter((scope) => !scopes.includes(scope));
    if (rest.length > 0) grant.rejectResourceScope(resource, rest.join(' '));
    await grant.save();
    await this.payloads.keepClient(clientId, expiresAt);
    await this.remembered.keep({ userId: accountId, therapistId }, pending, { id, expiresAt });
    return resultOf(call.identity, id, signedInAt);
  }
}

/** The fields of an approval. Its scopes are undefined without a choice of them. */
function answerOf({ therapist_id: practice, expires_at: end, ask, scopes }: Fields, current: string) {
  const therapistId = practice ?? current;
  return {
    therapistId: isUuid(therapistId) ? therapistId.toLowerCase() : refuse(problems.badTherapist),
    expiresAt: expiryOf(end ?? null, Date.now()),
    ask: askModes.find((mode) => mode === (ask ?? 'above')) ?? refuse(problems.badAsk),
    scopes: scopes == null ? undefined : listOf(scopes),
  };
}

type Answer = ReturnType<typeof answerOf>;

const listOf = (value: unknown): string[] =>
  Array.isArray(value) && value.every(isText)
    ? [...new Set<string>(value)]
    : refuse(problems.scopesNotAskedFor);

/** The granted scopes. By default: the requested scopes that the role permits, without the scopes that a person must choose explicitly. */
function scopesFor({ scopes }: Answer, { scopes: asked, personal }: Pending, role: PracticeRole): string[] {
  const named = scopes ?? permitted(role, asked).filter((scope) => !isAskedApart(scope));
  const given = named.filter((scope) => !personal.includes(scope));
  if (given.some((scope) => !asked.includes(scope))) refuse(problems.scopesNotAskedFor);
  const beyond = scopesBeyond(role, given);
  if (beyond.length > 0) refuse(problems.scopesBeyondRole(role, beyond));
  return given.length === 0 && personal.length === 0 ? refuse(problems.noScopeLeft) : given;
}
