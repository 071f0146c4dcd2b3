// The grants of a person, as Supabase's clients read them, and the claims about a person that a client may read.

import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { AccountCommand, type AccountHandler, AccountQuery } from '../calls/call.js';
import { problems, refuse } from '../calls/problems.js';
import { Grants } from './grants.js';
import { OauthProvider } from './provider.js';

export class ListGrants extends AccountQuery {}

@QueryHandler(ListGrants)
export class ListGrantsHandler implements AccountHandler<ListGrants> {
  constructor(private readonly grants: Grants) {}

  async execute({ call: { identity } }: ListGrants) {
    const grants = await this.grants.of(identity.userId);
    return {
      body: grants.map(
        ({ id, therapistId, oauthClientId, oauthClientName, scopes, expiresAt, createdAt }) => ({
          id,
          client: { id: oauthClientId, name: oauthClientName, uri: '', logo_uri: '' },
          scopes,
          granted_at: createdAt,
          therapist_id: therapistId,
          expires_at: expiresAt,
        }),
      ),
    };
  }
}

export class RevokeGrants extends AccountCommand {}

@CommandHandler(RevokeGrants)
export class RevokeGrantsHandler implements AccountHandler<RevokeGrants> {
  constructor(private readonly grants: Grants) {}

  /** @throws {Rejection} when the person has given no access to the client */
  async execute({ call }: RevokeGrants) {
    const clientId = call.parameters.get('client_id');
    const grants = (await this.grants.of(call.identity.userId)).filter(
      (grant) => grant.oauthClientId === clientId,
    );
    if (grants.length === 0) refuse(problems.noSuchOauthGrant);
    for (const { therapistId, id } of grants) await this.grants.endIn(therapistId, id, call);
    return { status: 204 };
  }
}

export class ReadUserInfo extends AccountQuery {}

@QueryHandler(ReadUserInfo)
export class ReadUserInfoHandler implements AccountHandler<ReadUserInfo> {
  constructor(
    private readonly grants: Grants,
    private readonly provider: OauthProvider,
  ) {}

  /** An app gets the claims that the person has consented to. The person, in a session, gets all claims. */
  async execute({ call: { identity } }: ReadUserInfo) {
    const { userId, therapistId, tokenId, oauthClientId } = identity;
    const { email, name, ...claims } = await this.grants.claims(userId, tokenId);
    const isShown = oauthClientId === undefined ? () => true : await this.scopesOf(tokenId ?? '');
    return {
      body: {
        ...claims,
        ...(isShown('email') && { email }),
        ...(isShown('profile') && { name }),
        therapist_id: therapistId,
      },
    };
  }

  private async scopesOf(grantId: string): Promise<(scope: string) => boolean> {
    const { Grant } = await this.provider.current();
    const scopes = (await Grant.find(grantId))?.getOIDCScope().split(' ') ?? [];
    return (scope) => scopes.includes(scope);
  }
}
