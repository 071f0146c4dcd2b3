import { type Environment, processSettings, readTable, settings } from '@practice/settings';
import type { AddressPolicy } from './addresses.js';

const { WEBHOOK_FORBIDDEN_NETWORKS } = settings;
const { WEBHOOK_LOOPBACK } = processSettings;

/** Reads which addresses requests to user-supplied URLs may reach. @throws {SettingError} with one line for each malformed variable */
export function readAddressPolicy(environment: Environment = process.env): AddressPolicy {
  const values = readTable({ WEBHOOK_FORBIDDEN_NETWORKS, WEBHOOK_LOOPBACK }, environment);
  return {
    allowsLoopback: values.WEBHOOK_LOOPBACK === 'yes',
    forbidden: values.WEBHOOK_FORBIDDEN_NETWORKS,
  };
}
