// The consent of a person to an authorization that a client has begun.

import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { isAskedApart, scopesBeyond } from '@practice/contracts';
import { type AskMode, askModes, type PracticeRole } from '@practice/core';
import type { Interaction } from 'oidc-provider';
import { AccountCommand, type AccountCall, type AccountHandler, AccountQuery } from '../calls/call.js';
import { type Fields, isText, isUuid } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { Transactions } from '../store/transactions.js';
import { expiryOf } from '../tokens/token-request.js';
import { practicesOf, type Standing, standingIn } from '../users/access.js';
import { addressOf, ConfirmedAddress } from '../users/users.js';
import { Authorizations, nameOf, type Pending, shownClient } from './authorizations.js';
import { OauthClients } from './clients.js';
import { Grants } from './grants.js';
import { OauthPayloads } from './payloads.js';
import { OauthHttp } from './protocol.js';
import { OauthProvider } from './provider.js';

export class ReadAuthorization extends AccountQuery {}

/** The question of the consent page. Beyond Supabase's fields, it has the practices to choose from. */
@QueryHandler(ReadAuthorization)
export class ReadAuthorizationHandler extends Authorizations implements AccountHandler<ReadAuthorization> {
  constructor(provider: OauthProvider, clients: OauthClients, transactions: Transactions) {
    super(provider, clients, transactions);
  }

  async execute({ call: { identity, id } }: ReadAuthorization) {
    const { client, redirectUri, personal, scopes } = await this.pending(id);
    const { userId, therapistId } = identity;
    const only = await this.practiceOf(client);
    const { email, standings } = await this.transactions.run({ userId }, async (tables) => ({
      email: (await addressOf(tables, userId)) ?? '',
      standings: (await practicesOf(tables, userId)).filter(({ isHeld }) => !isHeld),
    }));
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
            role: standing.role,
            scopes: permitted(standing.role, scopes),
          })),
      },
    };
  }
}

const permitted = (role: PracticeRole, scopes: readonly string[]): string[] => {
  const beyond = scopesBeyond(role, scopes);
  return scopes.filter((scope) => !beyond.includes(scope));
};

export class AnswerAuthorization extends AccountCommand {}

interface Answer {
  readonly therapistId: string;
  readonly expiresAt: Date;
  readonly ask: AskMode;
  /** Undefined for a plain yes. */
  readonly scopes: readonly string[] | undefined;
}

@CommandHandler(AnswerAuthorization)
export class AnswerAuthorizationHandler
  extends Authorizations
  implements AccountHandler<AnswerAuthorization>
{
  constructor(
    provider: OauthProvider,
    clients: OauthClients,
    transactions: Transactions,
    private readonly confirmed: ConfirmedAddress,
    private readonly grants: Grants,
    private readonly payloads: OauthPayloads,
    private readonly http: OauthHttp,
  ) {
    super(provider, clients, transactions);
  }

  /** @throws {Rejection} when the authorization was answered before, or the answer is malformed or beyond the role of the person */
  async execute({ call }: AnswerAuthorization) {
    const fields = call.fields();
    const { action } = fields;
    if (action !== 'approve' && action !== 'deny') return refuse(problems.badConsent);
    const pending = await this.pending(call.id);
    const approved = action === 'approve' ? await this.approved(call, pending, fields) : undefined;
    if (!(await this.payloads.claim('Interaction', call.id))) refuse(problems.noSuchAuthorization);
    const { interaction } = pending;
    interaction.result =
      approved === undefined
        ? { error: 'access_denied', error_description: 'The person has denied the access' }
        : await this.grantedTo(call, pending, approved);
    await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
    return { body: { redirect_url: await this.resumed(interaction) } };
  }

  /** Checks what a yes contains. */
  private async approved(call: AccountCall, pending: Pending, fields: Fields) {
    const { userId, therapistId: current, aal } = call.identity;
    const answer = answerOf(fields, current);
    const { therapistId } = answer;
    const standing = await this.transactions.run({ userId }, async (tables) => {
      await this.confirmed.require(tables, userId);
      return standingIn(tables, { userId, therapistId });
    });
    const { role, requiresMfa } = usable(standing);
    if (requiresMfa && aal === undefined) refuse(problems.insufficientAal);
    const only = await this.practiceOf(pending.client);
    if (only !== undefined && only !== therapistId) refuse(problems.foreignClient);
    return { ...answer, scopes: scopesFor(answer, pending, role) };
  }

  private async grantedTo(
    call: AccountCall,
    { client, resource, personal, scopes: asked }: Pending,
    { therapistId, scopes, expiresAt, ask }: Answer & { readonly scopes: readonly string[] },
  ): Promise<NonNullable<Interaction['result']>> {
    const { userId: accountId } = call.identity;
    const { clientId } = client;
    const named = { id: clientId, name: nameOf(client) };
    const { id, signedInAt } = await this.grants.create(call, {
      therapistId,
      client: named,
      scopes,
      expiresAt,
      ask,
    });
    const provider = await this.provider.current();
    const exp = Math.floor(expiresAt.getTime() / 1000);
    const grant = new provider.Grant({ accountId, clientId, jti: id, exp } as never);
    if (personal.length > 0) grant.addOIDCScope(personal.join(' '));
    grant.addResourceScope(resource, scopes.join(' '));
    const rest = asked.filter((scope) => !scopes.includes(scope));
    if (rest.length > 0) grant.rejectResourceScope(resource, rest.join(' '));
    await grant.save();
    await this.payloads.keepClient(clientId, expiresAt);
    const ts = Math.floor(signedInAt.getTime() / 1000);
    return { login: { accountId, remember: false, ts }, consent: { grantId: id } };
  }

  /** Continues the authorization in the library. Returns where the browser goes. */
  private async resumed({ uid, returnTo, deviceCode }: Interaction): Promise<string> {
    const { headers, statusCode, body } = await this.http.follow(returnTo, { _interaction_resume: uid });
    if (deviceCode !== undefined) return this.provider.devicePage;
    if (headers.location === undefined) throw new Error(`the OAuth server replied ${statusCode}: ${body}`);
    return headers.location;
  }
}

const usable = (standing: Standing | undefined): Standing =>
  standing === undefined || standing.isHeld ? refuse(problems.badTherapist) : standing;

function answerOf({ therapist_id: practice, expires_at: end, ask, scopes }: Fields, current: string): Answer {
  const therapistId = practice ?? current;
  return {
    therapistId: isUuid(therapistId) ? therapistId.toLowerCase() : refuse(problems.badTherapist),
    expiresAt: expiryOf(end ?? null, Date.now()),
    ask: askModes.find((mode) => mode === (ask ?? 'above')) ?? refuse(problems.badAsk),
    scopes: scopes == null ? undefined : listOf(scopes),
  };
}

const listOf = (value: unknown): string[] =>
  Array.isArray(value) && value.every(isText)
    ? [...new Set<string>(value)]
    : refuse(problems.scopesNotAskedFor);

/** A plain yes gives what was asked for, as far as the role permits it, without what is asked for apart. */
function scopesFor({ scopes }: Answer, { scopes: asked, personal }: Pending, role: PracticeRole): string[] {
  const named = scopes ?? permitted(role, asked).filter((scope) => !isAskedApart(scope));
  const given = named.filter((scope) => !personal.includes(scope));
  if (given.some((scope) => !asked.includes(scope))) refuse(problems.scopesNotAskedFor);
  const beyond = scopesBeyond(role, given);
  if (beyond.length > 0) refuse(problems.scopesBeyondRole(role, beyond));
  return given.length === 0 && personal.length === 0 ? refuse(problems.noScopeLeft) : given;
}
