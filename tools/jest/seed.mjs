// The same draws of every property in every run: a test that fails does so for who changed something. SEED draws others.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.SEED ?? 20260501) });
