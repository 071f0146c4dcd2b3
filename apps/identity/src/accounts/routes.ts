// The command or query of each route of the auth API.

import type { AccountRouteName } from '@practice/contracts';
import type { AccountCall, AccountCommand, AccountQuery } from '../calls/call.js';
import { problems, refuse } from '../calls/problems.js';
import { ChallengeFactor, EnrollFactor, UnenrollFactor, VerifyFactor } from '../factors/factor-calls.js';
import { AnswerAuthorization, ReadAuthorization } from '../oauth/consent.js';
import { OpenDevice } from '../oauth/device.js';
import { ListGrants, ReadUserInfo, RevokeGrants } from '../oauth/grant-calls.js';
import { CallProtocol, ReadMetadata } from '../oauth/protocol.js';
import { ListPasskeys, RemovePasskey, RenamePasskey } from '../passkeys/manage.js';
import { PasskeySignInOptions, SignInWithPasskey } from '../passkeys/passkey-sign-in.js';
import { PasskeyRegistrationOptions, RegisterPasskey } from '../passkeys/registration.js';
import { CreateToken, ListTokens, RevokeToken } from '../tokens/token-calls.js';
import { otpProblem, PublicKeys, ReadHealth, ReadSettings } from './info-calls.js';
import { RequestRecovery, ResendMail } from './request-mail.js';
import { ExchangeCode, RefreshSession, SignIn, SignOut } from './sign-in.js';
import { SignUp } from './sign-up.js';
import { ChangeUser, ReadUser, Reauthenticate } from './user.js';
import { FollowLink, Verify } from './verification.js';

type Route = (call: AccountCall) => AccountCommand | AccountQuery;

/** @throws {Rejection} for a call that Supabase's clients know and this API does not offer, with the code and message that they know */
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
  oauthProtocol: (call) => new CallProtocol(call),
  oauthMetadata: (call) => new ReadMetadata(call),
  oauthUserInfo: (call) => new ReadUserInfo(call),
  authorization: (call) => new ReadAuthorization(call),
  answerAuthorization: (call) => new AnswerAuthorization(call),
  openDevice: (call) => new OpenDevice(call),
  listGrants: (call) => new ListGrants(call),
  revokeGrants: (call) => new RevokeGrants(call),
  otp: (call) => refuse(otpProblem(call)),
  authorize: () => refuse(problems.unknownProvider),
  sso: () => refuse(problems.ssoDisabled),
  linkIdentity: () => refuse(problems.linkingDisabled),
  passkeyRegistrationOptions: (call) => new PasskeyRegistrationOptions(call),
  registerPasskey: (call) => new RegisterPasskey(call),
  passkeySignInOptions: (call) => new PasskeySignInOptions(call),
  signInWithPasskey: (call) => new SignInWithPasskey(call),
  listPasskeys: (call) => new ListPasskeys(call),
  renamePasskey: (call) => new RenamePasskey(call),
  removePasskey: (call) => new RemovePasskey(call),
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
      return refuse(problems.unknownGrant);
  }
}
