import type { SodReportChange, SodReportCounts } from '@access-admin/domain';
import { packedLineOf, type ReportBlock } from '@access-admin/store';

/** Gathers violations policy by policy, of one identity after the other, until they are stored. */
export interface ViolationGatherer {
  /** `identity` is the beginning of its lines. */
  add(
    policy: number,
    change: SodReportChange,
    line: { readonly identity: string; readonly items: readonly number[] },
  ): void;
  /** Whether there is enough to be stored. */
  isFull(): boolean;
  /** Hands over all that was gathered since the last time. */
  takeBlocks(): readonly ReportBlock[];
  countsOf(policy: number): SodReportCounts;
  totals(): SodReportCounts;
}

/** Lines of one block, so that a page of a list reads few that it does not need. */
const BLOCK_LINES_MAX = 250;
const LINES_MAX = 100_000;
const CHARACTERS_MAX = 8 * 1024 * 1024;

interface OpenBlock {
  lines: string;
  count: number;
  readonly counts: { new: number; same: number; gone: number };
}

const noCounts = () => ({ new: 0, same: 0, gone: 0 });

export function createViolationGatherer(): ViolationGatherer {
  const countsByPolicy = new Map<number, ReturnType<typeof noCounts>>();
  const open = new Map<number, OpenBlock>();
  const closed: ReportBlock[] = [];
  const totals = noCounts();
  let runs = 0;
  let lines = 0;
  let characters = 0;

  const close = (number: number, { lines: text, counts }: OpenBlock) => {
    closed.push({ number, run: runs++, content: `[${text}]`, ...counts });
    open.delete(number);
  };
  const countsOf = (policy: number) => countsByPolicy.get(policy) ?? noCounts();

  return {
    add: (policy, change, { identity, items }) => {
      const block = open.get(policy) ?? { lines: '', count: 0, counts: noCounts() };
      if (block.count === 0) open.set(policy, block);
      const line = packedLineOf(identity, change, items);
      block.lines += block.count === 0 ? line : `,${line}`;
      block.count += 1;
      block.counts[change] += 1;
      const counts = countsOf(policy);
      counts[change] += 1;
      countsByPolicy.set(policy, counts);
      totals[change] += 1;
      lines += 1;
      characters += line.length;
      if (block.count === BLOCK_LINES_MAX) close(policy, block);
    },
    isFull: () => lines >= LINES_MAX || characters >= CHARACTERS_MAX,
    takeBlocks: () => {
      for (const [number, block] of open) close(number, block);
      lines = 0;
      characters = 0;
      return closed.splice(0);
    },
    countsOf,
    totals: () => totals,
  };
}
