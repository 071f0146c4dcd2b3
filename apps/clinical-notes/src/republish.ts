import { runRepublish } from '@practice/service';
import { clinicalNotes } from './clinical-notes.js';

await runRepublish(clinicalNotes.service);
