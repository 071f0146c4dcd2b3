import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { UsersModule } from '../users/users.module.js';
import { Lockout, PasswordCheck } from './password-check.js';
import { RecentSignIn } from './recent-sign-in.js';
import { RefreshTokenRotation } from './refresh-token-rotation.js';
import { CurrentIdentity, EndSession, OpenSessions } from './session-functions.js';
import { SessionIssue } from './session-issue.js';
import { Sessions } from './sessions.js';

const providers = [PasswordCheck, RecentSignIn, RefreshTokenRotation, SessionIssue, Sessions];

/** Sessions: how they begin, continue and end, and the access tokens that they issue. */
@Module({ imports: [KeysModule, UsersModule], providers: [...providers, Lockout], exports: providers })
export class SessionsModule {}

export const sessionFunctions = [CurrentIdentity, EndSession, OpenSessions];
