import { SOD_REPORT_CHANGES } from '@access-admin/domain';
import {
  createIdentityFilter,
  hashOfPacked,
  packedIdentity,
  type ReportBlock,
  unpackReportLines,
} from '@access-admin/store';
import { seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import { createRandom, NOW } from '../../test/report-world.ts';
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
      const exception = random(5) === 0 ? { id: `x-${line}`, end: NOW } : null;
      gatherer.add(policy, { identity: `["i-${line}",null,`, change, items: [1, 3], exception });
      expected.set(policy, [...(expected.get(policy) ?? []), `i-${line} ${change} ${exception?.id}`]);
      if (random(300) === 0) blocks.push(...gatherer.takeBlocks());
    }
    blocks.push(...gatherer.takeBlocks());
    expect(gatherer.takeBlocks()).toEqual([]);
    expect(new Set(blocks.map(({ run }) => run)).size).toBe(blocks.length);
    for (const [policy, lines] of expected) {
      const own = inOrder(blocks).filter(({ number }) => number === policy);
      const found = own.flatMap(({ content }) => unpackReportLines(content));
      expect(found.map(({ identityId, change, exception }) => `${identityId} ${change} ${exception?.id}`)).toEqual(
        lines,
      );
      for (const block of own) {
        const { content, identityFilter } = block;
        const lines = unpackReportLines(content);
        for (const change of SOD_REPORT_CHANGES) {
          const changed = lines.filter((line) => line.change === change);
          const covered = changed.filter(({ exception }) => exception !== null);
          expect([block[change], block.excepted[change]]).toEqual([changed.length, covered.length]);
        }
        const hashes = lines.map(({ identityId }) => hashOfPacked(packedIdentity(identityId, null)));
        expect(createIdentityFilter(hashes)).toEqual(identityFilter);
        expect(unpackReportLines(content).length).toBeLessThanOrEqual(250);
      }
      const counts = gatherer.countsOf(policy);
      expect(counts.new + counts.same + counts.gone).toBe(lines.length);
    }
    const none = { new: 0, same: 0, gone: 0 };
    expect(gatherer.countsOf(99)).toEqual({ ...none, excepted: none });
    const { excepted, ...totals } = gatherer.totals();
    expect(Object.values(totals).reduce((sum, count) => sum + count, 0)).toBe(2_000);
    expect(excepted).toBe([...expected.values()].flat().filter((line) => /x-\d+$/.test(line)).length);
  }
});
