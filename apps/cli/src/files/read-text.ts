import { readFileSync } from 'node:fs';
import { CommandFailure } from '../output/failure.ts';

/** The text of a UTF-8 file without a byte order mark; `-` is the standard input. Throws a `CommandFailure` that names the file. */
export function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path === '-' ? 0 : path));
  } catch (error) {
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  }
}

/** The content of a JSON file. Throws a `CommandFailure` that names the file, and the line of a syntax error. */
export function readJson(path: string): unknown {
  const text = readText(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(`${path}:${jsonErrorPlace(text, error)}: not JSON: ${reasonOf(error)}`);
  }
}

/** The line and column of a syntax error of `JSON.parse`, as `line:column`. */
export function jsonErrorPlace(text: string, error: unknown): string {
  const before = text.slice(0, jsonErrorOffset(text, error)).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/** V8 tells the position of some errors only; of others it is that up to which the text is the beginning of a document. */
function jsonErrorOffset(text: string, error: unknown): number {
  const told = toldPosition(error);
  if (told !== null) return told;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isBeginningOfJson(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function toldPosition(error: unknown): number | null {
  const [, position] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
  return position === undefined ? null : Number(position);
}

function isBeginningOfJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    return /end of JSON input/.test(String(error)) || toldPosition(error) === text.length;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'access to it is denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8',
};

/** Why something failed, in words. */
export function reasonOf(error: unknown): string {
  // V8 repeats the text.
  if (error instanceof SyntaxError) return error.message.replace(/, (\.\.\.)?".*/s, '');
  const { code, message } = Object(error) as { readonly code?: string; readonly message?: string };
  return REASONS[code ?? ''] ?? message ?? String(error);
}
