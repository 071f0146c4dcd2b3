/** What is measured by name: of appointments first, then of the other services, then shapes of answers, then all together. */
export const appointmentScenarios = ['day', 'list', 'book', 'change'] as const;
export const recordScenarios = ['search', 'notes', 'expenses'] as const;
export const shapeScenarios = ['within', 'across', 'count', 'csv'] as const;
export const scenarios = [...appointmentScenarios, ...recordScenarios, ...shapeScenarios, 'mixed'] as const;
export type Scenario = (typeof scenarios)[number];
/** Those that Postgres alone is asked for, too. */
export type AskedAlone = (typeof appointmentScenarios)[number] | (typeof recordScenarios)[number];

export const isAskedAlone = (scenario: Scenario): scenario is AskedAlone =>
  [...appointmentScenarios, ...recordScenarios].some((name) => name === scenario);
