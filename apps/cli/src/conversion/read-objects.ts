import { readBeginningBytes } from '../files/read-beginning.ts';
import { readDecoded } from '../files/read-decoded.ts';
import { jsonErrorPlace, reasonOf } from '../files/read-text.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Position } from '../output/problem.ts';
import { encodingOf } from './kinds.ts';

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

/** An object of a file, or what enclosed the objects before it. */
export type Found =
  | { readonly object: JsonObject; readonly envelope: string; readonly at: Position }
  | { readonly enclosing: JsonObject; readonly at: Position };

/** What encloses objects is short: a list has a few members beside it. */
const ENVELOPE_LENGTH_MAX = 1024 * 1024;

/**
 * Reads the objects of a JSON file one by one: those of a list within an object, of an array, or one a line; each with the text
 * before its list. An object around a list is told after the objects, with an empty list. Throws a `CommandFailure` that names
 * the line of a syntax error.
 */
export async function* readObjects(path: string, reading: ObjectReading): AsyncGenerator<Found> {
  const { list, signal, onProgress } = reading;
  const encoding = encodingOf(readBeginningBytes(path));
  const listed = new RegExp(`"${list}"\\s*:\\s*$`);
  let line = 1;
  // What encloses the present character, from the outside: objects, arrays, and lists of objects.
  let enclosing = '';
  // The text of the object around a list, without the objects of the list.
  let outside = '';
  let outsideLine = 1;
  let collected = '';
  let begin = 1;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  const endsWithList = () => enclosing.endsWith('L');
  try {
    for await (const text of readDecoded(path, { encoding, signal, onProgress })) {
      let from = 0;
      const take = (at: number) => {
        const part = text.slice(from, at);
        from = at;
        if (depth > 0) collected += part;
        else outside += part;
      };
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
        else if (depth > 0) {
          if (character === '{' || character === '[') depth++;
          else if (character === '}' || character === ']') {
            if (--depth > 0) continue;
            depth = 1;
            take(at + 1);
            depth = 0;
            const whole = collected;
            collected = '';
            yield* found(whole);
          }
        } else if (character === '{' || character === '[') {
          take(at);
          if (character === '{' && (enclosing === '' || enclosing === '[' || endsWithList())) {
            // At the top it may be an object, or what encloses a list of them: that shows once it is read, or at its list.
            if (enclosing === '' || enclosing === '[') {
              if (/[^\s,[\]]/.test(outside)) throw new CommandFailure(`${path}:${line}:1: not JSON`);
              enclosing += '{';
              outside = '';
              outsideLine = line;
            } else {
              depth = 1;
              begin = line;
            }
          } else if (character === '[' && /^\[?\{$/.test(enclosing) && listed.test(outside)) enclosing += 'L';
          else enclosing += character;
        } else if (character === '}' || character === ']') {
          const isListEnd = endsWithList();
          take(isListEnd ? at : at + 1);
          if (isListEnd) outside = outside.replace(/[\s,]*$/, '');
          enclosing = enclosing.slice(0, -1);
          if (isListEnd) take(at + 1);
          else if (character === '}' && (enclosing === '' || enclosing === '[')) {
            const whole = outside;
            outside = '';
            const object = parse(whole, path, outsideLine);
            const place = { file: path, line: outsideLine, column: 1 };
            if (Array.isArray(object[list])) yield { enclosing: object, at: place };
            else yield { object, envelope: '', at: place };
          }
        }
      }
      take(text.length);
      if (endsWithList() && depth === 0) outside = outside.replace(/[\s,]*$/, '');
      if (outside.length > ENVELOPE_LENGTH_MAX && enclosing.includes('L'))
        throw new CommandFailure(`${path}:${line}:1: not a list of objects`);
    }
  } catch (error) {
    if (error instanceof CommandFailure || signal.aborted) throw error;
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  }
  if (enclosing === '' && /[^\s,[\]]/.test(outside)) throw new CommandFailure(`${path}:${line}:1: not JSON`);
  if (depth > 0 || enclosing !== '') throw new CommandFailure(`${path}:${line}:1: the file ends within a value`);

  function* found(whole: string): Generator<Found> {
    const at = { file: path, line: begin, column: 1 };
    yield { object: parse(whole, path, begin), envelope: outside, at };
  }
}

function parse(text: string, path: string, line: number): JsonObject {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [lines = '1', column] = jsonErrorPlace(text, error).split(':');
    throw new CommandFailure(`${path}:${line + Number(lines) - 1}:${column}: not JSON: ${reasonOf(error)}`);
  }
}
