import { runRepublish } from '@practice/service';
import { scheduling } from './scheduling.js';

await runRepublish(scheduling.service);
