// The command or query of each route of the auth API.

import type { AccountRouteName } from '@practice/contracts';
import type { AccountCall, AccountCommand, AccountQuery } from '../calls/call.js';
import {
  linkingDisabled,
  passkeysDisabled,
  refuse,
  ssoDisabled,
  unknownGrant,
  unknownProvider,
} from '../calls/problems.js';
import { ChallengeFactor } from '../factors/challenge-factor.js';
import { EnrollFactor } from '../factors/enroll-factor.js';
import { UnenrollFactor } from '../factors/unenroll-factor.js';
import { VerifyFactor } from '../factors/verify-factor.js';
import { CreateToken, ListTokens, RevokeToken } from '../tokens/token-calls.js';
import { ChangeUser } from './change-user.js';
import { ExchangeCode } from './exchange-code.js';
import { NotOffered, otpProblem, PublicKeys, ReadHealth, ReadSettings } from './info-calls.js';
import { RefreshSession } from './refresh-session.js';
import { RequestRecovery } from './request-recovery.js';
import { ResendMail } from './resend-mail.js';
import { SignIn } from './sign-in.js';
import { SignOut } from './sign-out.js';
import { SignUp } from './sign-up.js';
import { ReadUser, Reauthenticate } from './user-calls.js';
import { FollowLink, Verify } from './verification-calls.js';

type Route = (call: AccountCall) => AccountCommand | AccountQuery;

/** @throws {Rejection} for a grant of POST /token that does not exist */
export const routes: Readonly<Record<AccountRouteName, Route>> = {
  signUp: (call) => new SignUp(call),
  token: tokenCommand,
  signOut: (call) => new SignOut(call),
  user: (call) => new ReadUser(call),
  changeUser: (call) => new ChangeUser(call),
  reauthenticate: (call) => new Reauthenticate(call),
  recover: (call) => new RequestRecovery(call),
  resend: (call) => new ResendMail(call),
  verify: (call) => new Verify(call),
  followLink: (call) => new FollowLink(call),
  listTokens: (call) => new ListTokens(call),
  createToken: (call) => new CreateToken(call),
  revokeToken: (call) => new RevokeToken(call),
  enrollFactor: (call) => new EnrollFactor(call),
  challengeFactor: (call) => new ChallengeFactor(call),
  verifyFactor: (call) => new VerifyFactor(call),
  unenrollFactor: (call) => new UnenrollFactor(call),
  publicKeys: (call) => new PublicKeys(call),
  settings: (call) => new ReadSettings(call),
  health: (call) => new ReadHealth(call),
  otp: (call) => new NotOffered(call, otpProblem),
  authorize: (call) => new NotOffered(call, () => unknownProvider),
  sso: (call) => new NotOffered(call, () => ssoDisabled),
  linkIdentity: (call) => new NotOffered(call, () => linkingDisabled),
  passkeys: (call) => new NotOffered(call, () => passkeysDisabled),
};

function tokenCommand(call: AccountCall): AccountCommand {
  switch (call.parameters.get('grant_type')) {
    case 'password':
      return new SignIn(call);
    case 'refresh_token':
      return new RefreshSession(call);
    case 'pkce':
      return new ExchangeCode(call);
    default:
      return refuse(unknownGrant);
  }
}
