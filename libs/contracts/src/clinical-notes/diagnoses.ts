import { column, resource } from '@practice/resource';

const clinical = { confidential: true, personal: { of: 'client_id' } } as const;

export const diagnoses = resource({
  name: 'diagnoses',
  service: 'clinical-notes',
  aggregate: 'diagnosis',
  description: 'Diagnoses of clients. Events do not contain the code.',
  confidential: true,
  columns: {
    client_id: column.uuid({ required: true, references: 'clients' }),
    code: column.text({
      ...clinical,
      required: true,
      format: 'icd-10-cm',
      maxLength: 16,
      description: 'A code of ICD-10-CM. Only its form is checked.',
    }),
    description: column.text(clinical),
    since: column.date(clinical),
    until: column.date({ ...clinical, description: 'Null while the diagnosis holds; not before `since`.' }),
  },
  events: { DiagnosisMade: 'created', DiagnosisChanged: 'others', DiagnosisRemoved: 'deleted' },
  indexes: [['client_id', 'created_at']],
});
