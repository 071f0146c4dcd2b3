/** Names of the scenarios: appointments, other services, shapes of responses, everything mixed. */
export const appointmentScenarios = ['day', 'list', 'book', 'change'] as const;
export const recordScenarios = ['search', 'notes', 'expenses'] as const;
export const shapeScenarios = ['within', 'across', 'count', 'csv'] as const;
export const scenarios = [...appointmentScenarios, ...recordScenarios, ...shapeScenarios, 'mixed'] as const;
export type Scenario = (typeof scenarios)[number];
/** The scenarios that are also measured on Postgres by itself. */
export type AskedAlone = (typeof appointmentScenarios)[number] | (typeof recordScenarios)[number];

export const isAskedAlone = (scenario: Scenario): scenario is AskedAlone =>
  [...appointmentScenarios, ...recordScenarios].some((name) => name === scenario);
