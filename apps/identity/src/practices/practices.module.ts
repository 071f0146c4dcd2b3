import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { ClosePractice, ReopenPractice } from './close-practice.js';
import { BreakGlass, EndMemberSessions } from './end-member-access.js';
import { EraseDue, ErasePractice } from './erase-practice.js';
import { EraseFromBus, ErasureController } from './erasure.controller.js';
import { Founders } from './founders.js';
import { AcceptInvitation, InvitationMail } from './invitations.js';
import { LeavePractice, MyPractices, OpenPractice, SwitchPractice } from './own-practices.js';
import { EndHold, ResetFactors } from './reset-factors.js';
import { MembershipEffect, MfaRequirement } from './write-effects.js';

/** Practices: their members and roles, and how practices are opened, closed and erased. */
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
