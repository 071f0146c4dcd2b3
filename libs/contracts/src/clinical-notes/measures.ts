import { column, resource, type RowOf } from '@practice/resource';
import { instruments, type InstrumentName } from './instruments.js';

const personal = { of: 'client_id' } as const;
const clinical = { confidential: true, personal } as const;
const computed = { readOnly: true, computed: true } as const;

export const measures = resource({
  name: 'measures',
  service: 'clinical-notes',
  aggregate: 'measure',
  description:
    'Answers to questionnaires, with score and severity. Events do not contain them; an answer about self-harm raises `MeasureRiskRaised`.',
  confidential: true,
  columns: {
    client_id: column.uuid({ required: true, references: 'clients' }),
    instrument: column.text({
      required: true,
      lowerCase: true,
      oneOf: Object.keys(instruments) as InstrumentName[],
    }),
    taken_at: column.timestamp({ description: 'Default: now.' }),
    answers: column.json({
      ...clinical,
      required: true,
      maxBytes: 4096,
      description: 'The answer to each item, by its number: `{"1": 0, "2": 3}`.',
    }),
    score: column.integer({ ...clinical, ...computed }),
    severity: column.text({ ...clinical, ...computed }),
    loinc: column.text({ ...computed, description: 'The LOINC code of the score.' }),
    has_risk: column.boolean({
      ...computed,
      default: false,
      personal,
      description: 'The item about self-harm was answered above 0: item 9 of PHQ-9.',
    }),
  },
  example: { instrument: 'phq-2', answers: { 1: 0, 2: 1 } },
  events: {
    MeasureTaken: 'created',
    MeasureCorrected: 'others',
    MeasureRiskRaised: ['has_risk'],
    MeasureRiskWithdrawn: ['has_risk'],
    MeasureDeleted: 'deleted',
  },
  indexes: [['client_id', 'taken_at']],
});

export type Measure = RowOf<typeof measures>;
