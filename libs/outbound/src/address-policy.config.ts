import { type Environment, processSettings, readTable, settings } from '@practice/settings';
import type { AddressPolicy } from './addresses.js';

const { WEBHOOK_FORBIDDEN_NETWORKS } = settings;
const { WEBHOOK_LOOPBACK } = processSettings;

/** Where requests to hosts that others name may go. @throws {SettingError} with one line for each variable that is malformed */
export function readAddressPolicy(environment: Environment = process.env): AddressPolicy {
  const values = readTable({ WEBHOOK_FORBIDDEN_NETWORKS, WEBHOOK_LOOPBACK }, environment);
  return {
    allowsLoopback: values.WEBHOOK_LOOPBACK === 'yes',
    forbidden: values.WEBHOOK_FORBIDDEN_NETWORKS,
  };
}
