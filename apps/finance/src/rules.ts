// One line for each decider and each policy of the service. Expenses need neither.

export {};
