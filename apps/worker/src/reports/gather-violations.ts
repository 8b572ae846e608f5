import type { SodReportCounts, SodReportTotals } from '@access-admin/domain';
import {
  type CountedViolations,
  createIdentityFilter,
  hashOfPacked,
  type PackedViolation,
  packedLineOf,
  type ReportBlock,
} from '@access-admin/store';

/** Collects the violations of each policy, in order of the identities, as blocks of report lines to be stored. */
export interface ViolationGatherer {
  /** `identity` is the identity as its report lines begin. */
  add(policy: number, line: PackedViolation & { readonly identity: string }): void;
  /** Whether the blocks should be taken now, to limit memory. */
  isFull(): boolean;
  /** Returns and removes the blocks of all lines added since the last call. */
  takeBlocks(): readonly ReportBlock[];
  countsOf(policy: number): CountedViolations;
  totals(): SodReportTotals;
}

/** Lines of one block, about: few, so that a page of a list reads little that it does not need. */
const BLOCK_LINES = 250;
// Of all reports that are under way together. Higher limits mean fewer and fuller blocks.
const LINES_MAX = 1_000_000;
const CHARACTERS_MAX = 32 * 1024 * 1024;

interface OpenBlock {
  /** Joined lines: fewer texts to keep in memory. */
  readonly texts: string[];
  /** Of the identities, one a line. */
  readonly hashes: number[];
  readonly counts: Counts;
}

type Counts = ReturnType<typeof noCounts>;

const noneChanged = (): { -readonly [Change in keyof SodReportCounts]: number } => ({ new: 0, same: 0, gone: 0 });
const noCounts = () => ({ ...noneChanged(), excepted: noneChanged() });

/** Creates a gatherer that shares the memory for violations with others, as many as `sharers` says. */
export function createViolationGatherer(sharers = () => 1): ViolationGatherer {
  const countsByPolicy = new Map<number, Counts>();
  const open = new Map<number, OpenBlock>();
  const closed: ReportBlock[] = [];
  const totals = noCounts();
  let runs = 0;
  let lines = 0;
  let characters = 0;
  /** The lines of the current policy that are not in its block yet; then its number, block and counts. */
  let fresh: string[] = [];
  let number: number = -1;
  let block: OpenBlock = noBlock();
  let counts: Counts = noCounts();

  const close = () => {
    if (fresh.length > 0) block.texts.push(fresh.join(','));
    fresh = [];
  };
  const end = (policy: number, { texts, hashes, counts: own }: OpenBlock) => {
    const identityFilter = createIdentityFilter(hashes);
    closed.push({ number: policy, run: runs++, content: `[${texts.join(',')}]`, identityFilter, ...own });
    open.delete(policy);
  };
  const turnTo = (policy: number) => {
    close();
    if (block.hashes.length >= BLOCK_LINES) end(number, block);
    number = policy;
    block = open.get(policy) ?? noBlock();
    open.set(policy, block);
    counts = countsByPolicy.get(policy) ?? noCounts();
    countsByPolicy.set(policy, counts);
  };

  return {
    add: (policy, violation) => {
      const { identity, change, exception } = violation;
      if (policy !== number || block.hashes.length >= BLOCK_LINES) turnTo(policy);
      const line = packedLineOf(identity, violation);
      fresh.push(line);
      block.hashes.push(hashOfPacked(identity));
      block.counts[change] += 1;
      counts[change] += 1;
      totals[change] += 1;
      if (exception !== null) for (const each of [block.counts, counts, totals]) each.excepted[change] += 1;
      lines += 1;
      characters += line.length;
    },
    isFull: () => lines >= LINES_MAX / sharers() || characters >= CHARACTERS_MAX / sharers(),
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
    totals: () => withSum(totals),
  };
}

const noBlock = (): OpenBlock => ({ texts: [], hashes: [], counts: noCounts() });

const withSum = ({ excepted, ...counts }: Counts): SodReportTotals => ({
  ...counts,
  excepted: excepted.new + excepted.same + excepted.gone,
});
