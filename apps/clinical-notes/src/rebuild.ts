import { runRebuild } from '@practice/service';
import { clinicalNotes } from './clinical-notes.js';

await runRebuild(clinicalNotes);
