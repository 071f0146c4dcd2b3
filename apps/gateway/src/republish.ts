import { runRepublish } from '@practice/service';

await runRepublish('gateway');
