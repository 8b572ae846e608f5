import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Lets axe run in a window: it is no part of the page, so the policy of the page would refuse it as a script. */
export async function addAxe(page: Page): Promise<void> {
  await page.context().addInitScript({ content: axe.source });
}

/** What axe finds, each with the elements concerned. */
export async function findingsOf(page: Page): Promise<readonly string[]> {
  const runOnly = { type: 'tag', values: RULES };
  const { violations, passes } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify({ runOnly })})`);
  expect(passes.length).toBeGreaterThan(10);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
