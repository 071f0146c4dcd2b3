// The effects of changed clients and grants on the private tables, in the same transaction.

import { Injectable } from '@nestjs/common';
import {
  type OauthClient,
  oauthClients,
  type OauthGrant,
  oauthGrants,
  rotateClientSecret,
} from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { Statement } from '@practice/log';
import type { ArgumentsOf } from '@practice/resource';
import { type FunctionHandler, Handles, showOneTimeSecrets, type WritingCall } from '@practice/write';
import type { BegunEffect, EffectOrigin, FollowingRecord, RecordChange, WriteEffect } from '@practice/write';
import { IsNull, Not } from 'typeorm';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { deletionOf, inserting, statementOf, tablesOn, unbound } from '../store/database.js';
import { OauthClientSecret, OauthGrantUse, OauthRegistration } from '../store/oauth.entities.js';
import { BEGINS_MFA_SETTING, USER_SETTING } from '../store/policies.js';
import type { OauthGrantRecord } from '../store/record.entities.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { following } from '../store/security-events.js';
import { PersonalToken } from '../store/session.entities.js';
import { setting } from '../store/transactions.js';
import { Grants } from './grants.js';
import { rotating } from './oauth-rules.js';

/**
 * A new confidential client gets a secret, which the response of the write shows. A deleted one loses its secrets and its grants.
 */
@Injectable()
export class ClientEffect implements WriteEffect {
  readonly resource = oauthClients;

  constructor(private readonly grants: Grants) {}

  begin(changes: readonly RecordChange<OauthClient>[]): BegunEffect {
    const given: Record<string, { secret: string }> = {};
    const statements = changes.flatMap(({ therapistId, before, after }) => {
      const clientId = (after ?? before)?.id ?? '';
      const key = { therapistId, clientId };
      if (after === null)
        return [deletionOf(OauthRegistration, key), deletionOf(OauthClientSecret, key), ...endAccess(key)];
      const registration = registrationOf(therapistId, after);
      if (before !== null || after.kind === 'public') return [registration];
      const secret = randomToken();
      given[clientId] = { secret };
      const stored = inserting(unbound, OauthClientSecret, { ...key, secretHash: tokenHash(secret) });
      return [registration, statementOf(stored)];
    });
    const shown = Object.keys(given).length === 0 ? [] : [showOneTimeSecrets(given)];
    const deleted = changes.flatMap(({ therapistId, before, after }) =>
      before === null || after !== null ? [] : [{ therapistId, clientId: before.id }],
    );
    const committed = async (): Promise<void> => {
      for (const client of deleted) await this.grants.endOfClient(client);
    };
    return { statements: [...statements, ...shown], committed };
  }
}

/**
 * Ends the access of a client with the commit of its deletion. The records of the grants are deleted after the commit, by this process or
 * by `GrantSweep`. This setting shows a transaction the tokens of all members.
 */
const endAccess = ({ therapistId, clientId }: Pick<OauthGrantRecord, 'therapistId' | 'clientId'>) => [
  setting({ [BEGINS_MFA_SETTING]: therapistId }),
  deletionOf(PersonalToken, { therapistId, oauthClientId: clientId }),
  setting({ [BEGINS_MFA_SETTING]: '' }),
];

const registrationOf = (therapistId: string, client: OauthClient): Statement =>
  statementOf(
    inserting(unbound, OauthRegistration, {
      ...{ therapistId, clientId: client.id, name: client.name, kind: client.kind },
      redirectUris: client.redirect_uris ?? [],
    }).orUpdate(['name', 'redirect_uris'], ['client_id']),
  );

/** How long the previous secret stays valid. */
const BOTH_HOURS = 24;

@Handles(rotateClientSecret)
export class RotateClientSecret implements FunctionHandler<typeof rotateClientSecret> {
  /** @throws {Rejection} PM404 unless the practice has the client, and it is confidential */
  async call({ client_id: clientId, revoke }: ArgumentsOf<typeof rotateClientSecret>, call: WritingCall) {
    const { transaction, caller } = call;
    const { therapistId } = caller;
    const tables = tablesOn(transaction.client);
    const client = { therapistId, clientId, kind: 'confidential' } as const;
    if (!(await tables.existsBy(OauthRegistration, client))) reject(noSuchClient);
    const secret = randomToken();
    const key = { therapistId, clientId };
    // Only the latest of the earlier secrets is kept.
    await tables.delete(OauthClientSecret, revoke ? key : { ...key, endsAt: Not(IsNull()) });
    const endsAt = (): string => `now() + interval '${BOTH_HOURS} hours'`;
    await tables.update(OauthClientSecret, { ...key, endsAt: IsNull() }, { endsAt });
    await tables.insert(OauthClientSecret, { ...key, secretHash: tokenHash(secret) });
    await transaction.changeBy(rotating, clientId, {
      secret_rotated_at: transaction.now,
    });
    return { secret };
  }
}

const noSuchClient = problemFor('PM404', {
  message: 'the practice has no confidential OAuth client with this id',
});

/** A grant whose record is deleted ends at once, in every gateway. */
@Injectable()
export class GrantEffect implements WriteEffect {
  readonly resource = oauthGrants;

  constructor(private readonly gateways: GatewayAnnouncements) {}

  follow(changes: readonly RecordChange<OauthGrant>[], origin: EffectOrigin): FollowingRecord[] {
    return changes.flatMap(({ before, after }) =>
      before === null || after !== null
        ? []
        : [following(origin, { kind: 'oauth_grant_revoked', userId: before.user_id, tokenId: before.id })],
    );
  }

  begin(changes: readonly RecordChange<OauthGrant>[]): BegunEffect {
    const ended = changes.flatMap(({ therapistId, before, after }) =>
      before === null || after !== null ? [] : [{ therapistId, id: before.id, userId: before.user_id }],
    );
    return {
      statements: ended.flatMap(({ therapistId, id, userId }) => [
        setting({ [USER_SETTING]: userId }),
        deletionOf(PersonalToken, { userId, id }),
        deletionOf(OauthGrantUse, { therapistId, id }),
        setting({ [USER_SETTING]: '' }),
      ]),
      committed: async () => {
        await Promise.all(ended.map(({ id }) => this.gateways.personalTokenRevoked(id)));
      },
    };
  }
}
