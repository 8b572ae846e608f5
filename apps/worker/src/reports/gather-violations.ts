import type { SodReportChange, SodReportCounts } from '@access-admin/domain';
import { packedLineOf, type ReportBlock } from '@access-admin/store';

/** Collects the violations of each policy, in order of the identities, as blocks of report lines to be stored. */
export interface ViolationGatherer {
  /** `identity` is the identity as its report lines begin. */
  add(
    policy: number,
    change: SodReportChange,
    line: { readonly identity: string; readonly items: readonly number[] },
  ): void;
  /** Whether the blocks should be taken now, to limit memory. */
  isFull(): boolean;
  /** Returns and removes the blocks of all lines added since the last call. */
  takeBlocks(): readonly ReportBlock[];
  countsOf(policy: number): SodReportCounts;
  totals(): SodReportCounts;
}

/** Lines of one block, about: few, so that a page of a list reads little that it does not need. */
const BLOCK_LINES = 250;
// Higher limits mean fewer and fuller blocks.
const LINES_MAX = 1_000_000;
const CHARACTERS_MAX = 32 * 1024 * 1024;

interface OpenBlock {
  /** Joined lines: fewer texts to keep in memory. */
  readonly texts: string[];
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
  /** The lines of the current policy that are not in its block yet; then its number, block and counts. */
  let fresh: string[] = [];
  let [number, block, counts]: [number, OpenBlock, ReturnType<typeof noCounts>] = [-1, noBlock(), noCounts()];

  const close = () => {
    if (fresh.length > 0) block.texts.push(fresh.join(','));
    fresh = [];
  };
  const end = (policy: number, { texts, counts: own }: OpenBlock) => {
    closed.push({ number: policy, run: runs++, content: `[${texts.join(',')}]`, ...own });
    open.delete(policy);
  };
  const turnTo = (policy: number) => {
    close();
    if (block.count >= BLOCK_LINES) end(number, block);
    number = policy;
    block = open.get(policy) ?? noBlock();
    open.set(policy, block);
    counts = countsByPolicy.get(policy) ?? noCounts();
    countsByPolicy.set(policy, counts);
  };

  return {
    add: (policy, change, { identity, items }) => {
      if (policy !== number || block.count >= BLOCK_LINES) turnTo(policy);
      const line = packedLineOf(identity, change, items);
      fresh.push(line);
      block.count += 1;
      block.counts[change] += 1;
      counts[change] += 1;
      totals[change] += 1;
      lines += 1;
      characters += line.length;
    },
    isFull: () => lines >= LINES_MAX || characters >= CHARACTERS_MAX,
    takeBlocks: () => {
      close();
      for (const [policy, own] of open) end(policy, own);
      number = -1;
      block = noBlock();
      lines = 0;
      characters = 0;
      return closed.splice(0);
    },
    countsOf: (policy) => countsByPolicy.get(policy) ?? noCounts(),
    totals: () => totals,
  };
}

const noBlock = (): OpenBlock => ({ texts: [], count: 0, counts: noCounts() });
