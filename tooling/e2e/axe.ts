import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The folder that gets a picture of each page; none are taken where it is not named. */
const PICTURES = process.env['PICTURES'];
const WIDEST = 1920;
const WIDTHS = [360, 1280, WIDEST] as const;
const HEIGHT = 900;

const COLORS = ['color-contrast', 'link-in-text-block'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Checks that the page which is shown fits its window and that axe finds nothing, in light and dark, and takes its pictures. */
export async function inspectWindow(
  page: Page,
  name: string,
  widths: readonly number[] = WIDTHS,
  colorSchemes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<void> {
  if (PICTURES !== undefined) mkdirSync(PICTURES, { recursive: true });
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHT });
      // Scripts are told of another width with the next picture.
      await page.evaluate('new Promise(requestAnimationFrame)');
      const shown = `${name}-${width}-${colorScheme}`;
      if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${shown}.png`), fullPage: true });
      expect(await page.evaluate('document.documentElement.scrollWidth'), shown).toBeLessThanOrEqual(width);
      // The widest shows the same elements as the one before it. In the dark colors are all that is other.
      const rules = colorScheme === 'light' ? 'all' : 'colors';
      if (width !== WIDEST) expect(await findingsOf(page, rules), shown).toEqual([]);
    }
  }
}

interface Findings {
  readonly findings: readonly string[];
  readonly passed: number;
}

/** What axe finds, each with the elements concerned; of the rules on colors alone where nothing else can have changed. */
export async function findingsOf(page: Page, which: 'all' | 'colors' = 'all'): Promise<readonly string[]> {
  const runOnly = which === 'all' ? { type: 'tag', values: RULES } : { type: 'rule', values: COLORS };
  // Findings are told by their elements: making selectors of all that was looked at would take a tenth of the look.
  const options = { runOnly, resultTypes: ['violations'], selectors: false };
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
