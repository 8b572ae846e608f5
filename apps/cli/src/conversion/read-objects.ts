import { createReadStream } from 'node:fs';
import { readBeginning } from '../files/read-beginning.ts';
import { jsonErrorPlace, reasonOf } from '../files/read-text.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Position } from '../output/problem.ts';

/** An object of a JSON file, not yet validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A text that is not empty; null for anything else. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The objects of a list; none for anything that is not a list. */
export const objectsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.map((each) => Object(each)) : [];

/** The texts that are there. */
export const present = (values: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

/** How a file of objects is read. */
export interface ObjectReading {
  /** The member of an enclosing object that lists them, such as `Resources` of a SCIM list response. */
  readonly list: string;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}

/**
 * Reads the objects of a JSON file one by one: those of a list within an object, of an array, or one a line. Throws a
 * `CommandFailure` that names the line of a syntax error.
 */
export async function* readObjects(
  path: string,
  { list, signal, onProgress }: ObjectReading,
): AsyncGenerator<{ readonly object: JsonObject; readonly at: Position }> {
  const isEnclosed = new RegExp(`"${list}"\\s*:`).test(readBeginning(path));
  let bytes = 0;
  let line = 1;
  // What encloses the present character, from the outside.
  let enclosing = '';
  let collected = '';
  let begin = 1;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      bytes += piece.length;
      onProgress(bytes);
      const text = decoder.decode(piece, { stream: true });
      let from = collected === '' ? -1 : 0;
      for (let at = 0; at < text.length; at++) {
        const character = text[at] ?? '';
        if (character === '\n') line++;
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (character === '\\') isEscaped = true;
          else if (character === '"') isText = false;
          continue;
        }
        if (character === '"') isText = true;
        else if (character === '{' || character === '[') {
          // What is sought is an object at the top, or in a list: the top-level one, or that of the enclosing object.
          if (depth === 0 && character === '{' && (enclosing.endsWith('[') || (enclosing === '' && !isEnclosed))) {
            from = at;
            begin = line;
            depth = 1;
          } else if (depth > 0) depth++;
          else enclosing += character;
        } else if (character === '}' || character === ']') {
          if (depth === 0) enclosing = enclosing.slice(0, -1);
          else if (--depth === 0) {
            collected += text.slice(Math.max(0, from), at + 1);
            const whole = collected;
            collected = '';
            from = -1;
            yield { object: parse(whole, path, begin), at: { file: path, line: begin, column: 1 } };
          }
        }
      }
      if (depth > 0) collected += text.slice(Math.max(0, from));
    }
  } catch (error) {
    if (error instanceof CommandFailure || signal.aborted) throw error;
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  }
  if (depth > 0 || enclosing !== '') throw new CommandFailure(`${path}:${line}:1: the file ends within a value`);
}

function parse(text: string, path: string, line: number): JsonObject {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [lines = '1', column] = jsonErrorPlace(text, error).split(':');
    throw new CommandFailure(`${path}:${line + Number(lines) - 1}:${column}: not JSON: ${reasonOf(error)}`);
  }
}
