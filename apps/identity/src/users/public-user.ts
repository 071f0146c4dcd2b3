// Users as Supabase's clients read them. They hold nothing that must be hidden from their owners.

import { Inject, Injectable } from '@nestjs/common';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import type { User } from './users.js';

@Injectable()
export class PublicUsers {
  constructor(@Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'confirmsAddresses'>) {}

  of(user: User): object {
    const { createdAt, updatedAt, lastSignInAt, recoverySentAt, newEmail, changeSentAt, factors } = user;
    // Where addresses are not confirmed, they count from the sign-up on.
    const confirmedAt = user.confirmedAt ?? (this.config.confirmsAddresses ? null : createdAt);
    return {
      ...shared(user, { createdAt, updatedAt, lastSignInAt }),
      ...(confirmedAt && { email_confirmed_at: confirmedAt, confirmed_at: confirmedAt }),
      ...(recoverySentAt && { recovery_sent_at: recoverySentAt }),
      ...(newEmail !== null && { new_email: newEmail, email_change_sent_at: changeSentAt }),
      ...(factors.length > 0 && { factors }),
    };
  }
}

/** The response to a sign-up whose address is not confirmed yet: the same whether or not the address has an account. */
export const unconfirmedUser = (user: Shown, now: Date): object => ({
  ...shared(user, { createdAt: now, updatedAt: now }),
  confirmation_sent_at: now,
});

type Shown = Pick<User, 'id' | 'email' | 'metadata'>;

function shared(
  { id, email, metadata }: Shown,
  { createdAt, updatedAt, lastSignInAt }: Pick<User, 'createdAt' | 'updatedAt'> & Partial<User>,
): object {
  const times = {
    ...(lastSignInAt && { last_sign_in_at: lastSignInAt }),
    created_at: createdAt,
    updated_at: updatedAt,
  };
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: metadata,
    identities: [
      {
        identity_id: id,
        id,
        user_id: id,
        identity_data: { email, email_verified: false, phone_verified: false, sub: id },
        provider: 'email',
        ...times,
        email,
      },
    ],
    ...times,
    is_anonymous: false,
  };
}
