import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const COLORS = ['color-contrast', 'link-in-text-block'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Findings {
  readonly findings: readonly string[];
  readonly passed: number;
}

/** What axe finds, each with the elements concerned; of the rules on colors alone where nothing else can have changed. */
export async function findingsOf(page: Page, which: 'all' | 'colors' = 'all'): Promise<readonly string[]> {
  const runOnly = which === 'all' ? { type: 'tag', values: RULES } : { type: 'rule', values: COLORS };
  const options = { runOnly, resultTypes: ['violations'] };
  // Only into a page that is looked at: into each that is opened it would take longer than all looks.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  // Only these leave the page: carrying out all that axe has looked at would take longer than the look.
  const { findings, passed } = await page.evaluate<Findings>(`axe.run(${JSON.stringify(options)}).then(
    ({ violations, passes }) => ({
      findings: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)),
      passed: passes.length,
    }))`);
  expect(passed).toBeGreaterThan(which === 'all' ? 10 : 0);
  return findings;
}
