import { histogram } from '@practice/metrics';

const duration = histogram('practice_postgres_transaction_duration_seconds');

/** Runs a transaction and counts its time. @param group `exclusive` for a transaction of one practice */
export async function timed<T>(group: 'shared' | 'exclusive', transaction: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await transaction();
  } finally {
    duration.observe({ group }, (performance.now() - began) / 1000);
  }
}
