// The drills that need a load and its journal.
import type { Drill } from '@practice/dev';
import { nats } from './nats.js';
import { patroni } from './patroni.js';

export const drillsUnderLoad: readonly Drill[] = [nats, patroni];
