import { expect, test } from 'vitest';
import { describePhase, type Phase, verifyPhases } from './phase.ts';

const LIMITS = { judged: 'p95Ms', limitMs: (calmMs: number) => 2 * calmMs } as const;
const phase = (p95Ms: number, mib = 100, failures: readonly string[] = []): Phase => ({
  tenants: [{ name: 'acme', medianMs: 10, p95Ms, maxMs: 90, failures }],
  processes: [{ name: 'worker 0', cpuSeconds: 1.25, mib }],
  ownDelayMs: 2,
});

test('a phase within the limits has no findings', () => {
  expect(verifyPhases(phase(40), phase(80, 200), LIMITS)).toEqual([]);
});

test('slower, lost and kept are found', () => {
  const findings = verifyPhases(phase(40), phase(81, 201, ['acme 1 did not arrive']), LIMITS);
  expect(findings).toEqual([
    'events of acme took 81 ms (p95Ms, limit 80)',
    '1 failures, such as: acme 1 did not arrive',
    'worker 0 holds 101 MiB more',
  ]);
});

test('what a calm phase has lost is found', () => {
  expect(verifyPhases(phase(40, 100, ['refused']), phase(40), LIMITS)).toHaveLength(1);
});

test('a phase is described in one line', () => {
  expect(describePhase(phase(40))).toBe('acme 10/40/90 ms, own delay 2 ms, worker 0 1.3 CPU s and 100 MiB');
});
