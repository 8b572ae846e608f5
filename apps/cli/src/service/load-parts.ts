import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf } from '../files/read-text.ts';
import { openTemporary } from '../files/temporary.ts';
import { CommandFailure } from '../output/failure.ts';
import { formatPosition, type Position } from '../output/problem.ts';

const PART_BYTES_MAX = 16 * 1024 * 1024;
const PARTS_MAX = 1000;
const FLUSH_LENGTH = 1024 * 1024;

/** The records of a load in parts as the service takes them, in temporary files. */
export interface LoadParts extends Disposable {
  put(line: string, at: Position): void;
  /** Writes what is left; afterwards parts and digest can be read. */
  end(): void;
  readonly count: number;
  readonly records: number;
  /** Those of all parts. */
  readonly bytes: number;
  /** A digest of all records. */
  readonly digest: string;
  /** A part, from 1. */
  read(part: number): string;
  /** The bytes of the parts up to one, with it. */
  bytesTo(part: number): number;
  /** Where a line of a part, from 1, comes from; null for one that is not there. */
  placeOf(part: number, line: number): string | null;
}

interface Part {
  readonly path: string;
  bytes: number;
  /** Of each line the number of its file and its line there. */
  readonly places: number[];
}

/** Creates empty parts. Disposing of them removes their files. */
export function createLoadParts(): LoadParts {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-'));
  const temporary = openTemporary(folder);
  const parts: Part[] = [];
  const files: string[] = [];
  let kept: string[] = [];
  let length = 0;
  let records = 0;
  let bytes = 0;
  const hash = createHash('sha256');
  let digest = '';
  const flush = () => {
    const part = parts.at(-1);
    if (part === undefined || kept.length === 0) return;
    try {
      appendFileSync(part.path, kept.join(''), { mode: 0o600 });
    } catch (error) {
      throw new CommandFailure(`a temporary file: ${reasonOf(error)}`);
    }
    kept = [];
    length = 0;
  };
  return {
    put: (line, { file, line: number }) => {
      const size = Buffer.byteLength(line);
      let part = parts.at(-1);
      if (part === undefined || part.bytes + size > PART_BYTES_MAX) {
        flush();
        if (parts.length === PARTS_MAX)
          throw new CommandFailure(`more than ${PARTS_MAX} parts of 16 MiB: load the files one by one, with --delta`);
        part = { path: join(folder, `part-${parts.length + 1}`), bytes: 0, places: [] };
        parts.push(part);
      }
      let at = files.lastIndexOf(file);
      if (at === -1) at = files.push(file) - 1;
      part.places.push(at, number);
      part.bytes += size;
      bytes += size;
      hash.update(line);
      records++;
      kept.push(line);
      length += line.length;
      if (length > FLUSH_LENGTH) flush();
    },
    end: () => {
      flush();
      digest = hash.digest('hex');
    },
    get count() {
      return parts.length;
    },
    get records() {
      return records;
    },
    get bytes() {
      return bytes;
    },
    get digest() {
      return digest;
    },
    read: (part) => readFileSync(parts[part - 1]?.path ?? '', 'utf8'),
    bytesTo: (part) => parts.slice(0, part).reduce((sum, each) => sum + each.bytes, 0),
    placeOf: (part, line) => {
      const places = parts[part - 1]?.places;
      const file = files[places?.[(line - 1) * 2] ?? -1];
      return file === undefined ? null : formatPosition({ file, line: places?.[(line - 1) * 2 + 1] ?? 1, column: 1 });
    },
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}
