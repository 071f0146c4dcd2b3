import { migrate } from '@practice/service';
import { clinicalNotes } from './clinical-notes.js';
import { migrations } from './migrations/index.js';

await migrate(clinicalNotes.service, migrations);
