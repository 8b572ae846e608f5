import type { Interval, SodCatalogue } from '@access-admin/domain';
import type { ReportExceptions } from './exceptions.ts';
import type { Population } from './population.ts';

/** The data that a report evaluates. */
export interface ReportData {
  readonly catalogue: SodCatalogue;
  readonly population: Pick<Population, 'refs' | 'finderMemory' | 'grantingRefs'>;
  /** The time of the data, in milliseconds since 1970. */
  readonly nowMs: number;
  /** The only instant that counts, ISO 8601 in UTC; null for every instant from `nowMs` on. */
  readonly at: string | null;
  readonly exceptions: ReportExceptions;
}

/** The interval in which access without windows holds: it has no end. */
export const unendingFrom = ({ nowMs, at }: Pick<ReportData, 'nowMs' | 'at'>): Interval => ({
  startMs: at === null ? nowMs : Date.parse(at),
  endMs: Number.POSITIVE_INFINITY,
});
