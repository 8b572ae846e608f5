import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from '@access-admin/harness';

/** A fenced block of a page. */
export interface PageBlock {
  /** The heading of its section, without its marks. */
  readonly heading: string;
  /** Such as `sh` or `json`. */
  readonly language: string;
  readonly text: string;
}

/** The blocks of a page in their order. */
export function blocksOf(path: string): readonly PageBlock[] {
  const [before = '', ...sections] = readFileSync(join(ROOT, path), 'utf8').split(/^#{2,} /m);
  return [`\n${before}`, ...sections].flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'));
    return [...section.matchAll(/^( *)```(\w+).*\n([\s\S]*?)^\1```$/gm)].map(
      ([, indent = '', language = '', text = '']) => ({
        heading,
        language,
        text: text.replaceAll(`\n${indent}`, '\n').slice(indent.length),
      }),
    );
  });
}

/** The blocks of one section and language; throws where the page has none. */
export function sectionBlocks(path: string, heading: string | RegExp, language = 'sh'): readonly string[] {
  const isAsked = (block: PageBlock) =>
    block.language === language &&
    (typeof heading === 'string' ? block.heading === heading : heading.test(block.heading));
  const found = blocksOf(path).filter(isAsked);
  if (found.length === 0) throw new Error(`${path} has no ${language} below ${heading}`);
  return found.map(({ text }) => text);
}

/** Puts other texts in place of what a page shows as an example. Throws where it does not show it. */
export function withOwn(script: string, own: Readonly<Record<string, string>>): string {
  return Object.entries(own).reduce((text, [shown, mine]) => {
    if (!text.includes(shown)) throw new Error(`no ${shown} in: ${text}`);
    return text.replaceAll(shown, mine);
  }, script);
}

/** Runs a script in the checkout, with the tools of this repository; it ends at its first failure. */
export const runShell = (script: string, env: Readonly<Record<string, string>>, cwd: string = ROOT) =>
  spawnSync('bash', ['-eu', '-o', 'pipefail', '-c', script], {
    cwd,
    encoding: 'utf8',
    // With a socket as its input and without SHLVL, bash takes itself for a remote shell and reads its startup files.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      ...env,
    },
  });
