import { Module } from '@nestjs/common';
import { LogSeals } from './log-seals.js';
import { FactorSecrets, SigningKeys } from './signing-keys.js';

/** Signing keys, the seals that they make, and the encryption of secrets. */
@Module({ providers: [SigningKeys, LogSeals, FactorSecrets], exports: [SigningKeys, FactorSecrets] })
export class KeysModule {}
