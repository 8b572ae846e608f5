import { closeSync, createReadStream, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandFailure } from '../output/failure.ts';
import { reasonOf } from './read-text.ts';
import { openTemporary } from './temporary.ts';

/** Texts that are written once and read once: in memory, and in a temporary file where they are many. */
export interface Spill extends Disposable {
  add(text: string): void;
  read(): AsyncGenerator<string>;
}

const MEMORY_MAX = 16 * 1024 * 1024;

/** Creates an empty spill. Disposing of it removes its file. */
export function createSpill(): Spill {
  let kept: string[] = [];
  let length = 0;
  let folder: string | null = null;
  let file: number | null = null;
  let temporary: Disposable | null = null;
  const flush = () => {
    try {
      folder ??= mkdtempSync(join(tmpdir(), 'access-admin-'));
      temporary ??= openTemporary(folder);
      file ??= openSync(join(folder, 'spill'), 'w', 0o600);
      writeFileSync(file, kept.join(''));
    } catch (error) {
      throw new CommandFailure(`a temporary file: ${reasonOf(error)}`);
    }
    kept = [];
    length = 0;
  };
  return {
    add: (text) => {
      kept.push(text);
      length += text.length;
      if (length > MEMORY_MAX) flush();
    },
    read: async function* () {
      if (folder !== null)
        yield* createReadStream(join(folder, 'spill'), { encoding: 'utf8' }) as AsyncIterable<string>;
      yield kept.join('');
    },
    [Symbol.dispose]: () => {
      if (file !== null) closeSync(file);
      temporary?.[Symbol.dispose]();
    },
  };
}
