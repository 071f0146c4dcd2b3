import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { AcceptInvitation } from './accept-invitation.js';
import { BreakGlass } from './break-glass.js';
import { ClosePractice, ReopenPractice } from './close-practice.js';
import { EndHold } from './end-hold.js';
import { EndMemberSessions } from './end-member-sessions.js';
import { EraseDue } from './erase-due.js';
import { EraseFromBus } from './erase-from-bus.js';
import { ErasePractice } from './erase-practice.js';
import { ErasureController } from './erasure.controller.js';
import { Founders } from './founders.js';
import { InvitationMail } from './invitation-mail.js';
import { LeavePractice } from './leave-practice.js';
import { MembershipEffect } from './membership-effect.js';
import { MfaRequirement } from './mfa-requirement.js';
import { MyPractices } from './my-practices.js';
import { OpenPractice } from './open-practice.js';
import { ResetFactors } from './reset-factors.js';
import { SwitchPractice } from './switch-practice.js';

/** Practices: who works in them with which role, and their beginning and end. */
@Module({
  imports: [FactorsModule, KeysModule, SessionsModule, UsersModule],
  controllers: [ErasureController],
  providers: [
    EndHold,
    EraseDue,
    EraseFromBus,
    ErasePractice,
    Founders,
    InvitationMail,
    MembershipEffect,
    MfaRequirement,
  ],
  exports: [EndHold, MembershipEffect, MfaRequirement],
})
export class PracticesModule {}

export const practiceFunctions = [
  AcceptInvitation,
  BreakGlass,
  ClosePractice,
  EndMemberSessions,
  LeavePractice,
  MyPractices,
  OpenPractice,
  ReopenPractice,
  ResetFactors,
  SwitchPractice,
];
