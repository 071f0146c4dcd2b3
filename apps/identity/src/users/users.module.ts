import { Module } from '@nestjs/common';
import { Passwords } from './passwords.js';
import { ConfirmedAddress, PublicUsers } from './users.js';

const providers = [ConfirmedAddress, Passwords, PublicUsers];

/** Users: their passwords, addresses and access to practices. */
@Module({ providers, exports: providers })
export class UsersModule {}
