import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from './open-folder.ts';

/** A named pipe that can be opened for writing, and that nobody reads until it is said. */
export interface UnreadPipe extends Disposable {
  readonly path: string;
  /** Reads from now on; resolves with all that was read once it satisfies the condition. */
  readUntil(isEnough: (text: string) => boolean): Promise<string>;
}

/** Opens a named pipe in a folder of its own. */
export function openUnreadPipe(): UnreadPipe {
  const folder = openFolder('pipe');
  const path = join(folder.path, 'pipe');
  execFileSync('mkfifo', [path]);
  const held = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  let end = () => {};
  return {
    path,
    readUntil: (isEnough) => {
      const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] });
      end = () => reader.kill();
      let text = '';
      return new Promise((resolve) => {
        reader.stdout.setEncoding('utf8').on('data', (some) => {
          text += some;
          if (isEnough(text)) resolve(text);
        });
      });
    },
    [Symbol.dispose]: () => {
      end();
      closeSync(held);
      folder[Symbol.dispose]();
    },
  };
}
