// The grants of a person, as Supabase's clients read them, and what a client may know of the person.

import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { AccountCommand, type AccountHandler, AccountQuery } from '../calls/call.js';
import { problems, refuse } from '../calls/problems.js';
import { Grants } from './grants.js';

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
    for (const grant of grants) await this.grants.revoke(call, grant);
    return { status: 204 };
  }
}

export class ReadUserInfo extends AccountQuery {}

@QueryHandler(ReadUserInfo)
export class ReadUserInfoHandler implements AccountHandler<ReadUserInfo> {
  constructor(private readonly grants: Grants) {}

  async execute({ call: { identity } }: ReadUserInfo) {
    return { body: { ...(await this.grants.claims(identity.userId)), therapist_id: identity.therapistId } };
  }
}
