/** What is measured by name: of appointments first, then of the other services, then all together. */
export const appointmentScenarios = ['day', 'list', 'book', 'change'] as const;
export const scenarios = [...appointmentScenarios, 'search', 'notes', 'expenses', 'mixed'] as const;
export type Scenario = (typeof scenarios)[number];
