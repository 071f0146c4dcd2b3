// Every run draws the same values for properties, so a failure comes from a change. Another SEED draws other values.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.SEED ?? 20260501) });
