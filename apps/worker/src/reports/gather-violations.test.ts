import { SOD_REPORT_CHANGES } from '@access-admin/domain';
import { type ReportBlock, unpackReportLines } from '@access-admin/store';
import { seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import { createRandom } from '../../test/report-world.ts';
import { createViolationGatherer } from './gather-violations.ts';

const inOrder = (blocks: readonly ReportBlock[]) => blocks.toSorted((a, b) => a.number - b.number || a.run - b.run);

test('blocks have the lines of each policy in the order in which they were added, whenever blocks are taken', () => {
  for (const seed of seeds(50)) {
    const random = createRandom(seed);
    const gatherer = createViolationGatherer();
    const blocks: ReportBlock[] = [];
    const expected = new Map<number, string[]>();
    for (let line = 0; line < 2_000; line++) {
      // Mostly in order of the policies, as in a report.
      const policy = random(4) > 0 ? Math.floor(line / 700) : random(5);
      const change = SOD_REPORT_CHANGES[random(3)] ?? 'same';
      gatherer.add(policy, change, { identity: `["i-${line}",null,`, items: [1, 3] });
      expected.set(policy, [...(expected.get(policy) ?? []), `i-${line} ${change}`]);
      if (random(300) === 0) blocks.push(...gatherer.takeBlocks());
    }
    blocks.push(...gatherer.takeBlocks());
    expect(gatherer.takeBlocks()).toEqual([]);
    expect(new Set(blocks.map(({ run }) => run)).size).toBe(blocks.length);
    for (const [policy, lines] of expected) {
      const own = inOrder(blocks).filter(({ number }) => number === policy);
      const found = own.flatMap(({ content }) => unpackReportLines(content));
      expect(found.map(({ identityId, change }) => `${identityId} ${change}`)).toEqual(lines);
      for (const { content, new: added, same, gone } of own) {
        const counted = SOD_REPORT_CHANGES.map(
          (change) => unpackReportLines(content).filter((line) => line.change === change).length,
        );
        expect(counted).toEqual(SOD_REPORT_CHANGES.map((change) => ({ new: added, same, gone })[change]));
        expect(unpackReportLines(content).length).toBeLessThanOrEqual(250);
      }
      const counts = gatherer.countsOf(policy);
      expect(counts.new + counts.same + counts.gone).toBe(lines.length);
    }
    expect(gatherer.countsOf(99)).toEqual({ new: 0, same: 0, gone: 0 });
    expect(Object.values(gatherer.totals()).reduce((sum, count) => sum + count, 0)).toBe(2_000);
  }
});
