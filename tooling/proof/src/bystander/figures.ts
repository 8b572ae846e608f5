/** What the bystander does, each at its own pace. */
export const FLOWS = ['predict', 'check', 'import', 'export', 'scan', 'token'] as const;
export type FlowName = (typeof FLOWS)[number];

/** Durations of the calls of one kind. A call counts when it ends; one that takes long already counts with its age. */
export interface FlowFigures {
  readonly calls: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Figures of the bystander since the last question. */
export interface BystanderFigures {
  readonly flows: Readonly<Record<FlowName, FlowFigures>>;
  /** Answers that differ from the right one, server errors and calls without an answer. */
  readonly failures: readonly string[];
  /** By how much the timers of the bystander itself are late. */
  readonly ownDelay: Pick<FlowFigures, 'p99Ms' | 'maxMs'>;
}

export function figuresOf(durationsMs: readonly number[]): FlowFigures {
  const sorted = [...durationsMs].sort((left, right) => left - right);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { calls: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: sorted.at(-1) ?? 0 };
}

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));

/** One line: medians, the percentile that is judged, and the longest. */
export const describeFigures = ({ flows, failures, ownDelay }: BystanderFigures): string =>
  [
    ...FLOWS.map((name) => {
      const { calls, p50Ms, p95Ms, p99Ms, maxMs } = flows[name];
      const high = name === 'predict' ? p99Ms : p95Ms;
      return `${name} ${calls}× ${ms(p50Ms)}/${ms(high)}/${ms(maxMs)}`;
    }),
    `own delay ${ms(ownDelay.p99Ms)}/${ms(ownDelay.maxMs)}`,
    ...(failures.length === 0 ? [] : [`${failures.length} wrong, such as ${failures[0]}`]),
  ].join(', ');
