// One line for each decider, policy and handler of a function of the service. Expenses need none.

export {};
