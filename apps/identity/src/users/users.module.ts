import { Module } from '@nestjs/common';
import { ConfirmedAddress } from './confirmed-address.js';
import { Lockout } from './lockout.js';
import { Passwords } from './passwords.js';
import { PublicUsers } from './public-user.js';

const providers = [ConfirmedAddress, Lockout, Passwords, PublicUsers];

/** Users: their passwords, addresses and access to practices. */
@Module({ providers, exports: providers })
export class UsersModule {}
