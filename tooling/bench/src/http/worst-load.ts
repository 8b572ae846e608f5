import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withConnections } from '../load/http-connection.ts';
import { runOpenLoop } from '../load/open-loop.ts';

/** The heaviest requests as one process sends them. */
export interface WorstLoad {
  readonly port: number;
  readonly perSecond: number;
  readonly milliseconds: number;
  /** The bytes of a whole request, in base64. */
  readonly request: string;
  /** Of the body of each answer. */
  readonly answerBytes: number;
}

const CONNECTIONS = 8;

/**
 * Sends them from a process of its own, of the lowest priority: reading megabytes would make the process that measures the
 * others late. Resolves when all are answered; rejects when one is not whole.
 */
export async function sendWorstLoad(load: WorstLoad): Promise<void> {
  const argv = [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url), JSON.stringify(load)];
  const child = spawn('nice', ['-n', '19', ...argv], { stdio: ['ignore', 'ignore', 'inherit'] });
  const kill = () => child.kill();
  process.once('exit', kill);
  const [code] = await once(child, 'close');
  process.off('exit', kill);
  if (code !== 0) throw new Error('the heaviest requests were not all answered whole');
}

async function run({ port, perSecond, milliseconds, request, answerBytes }: WorstLoad): Promise<void> {
  const bytes = Buffer.from(request, 'base64');
  await withConnections(port, CONNECTIONS, (connections) =>
    runOpenLoop(
      [
        {
          perSecond,
          connections,
          nextRequest: () => bytes,
          check: ({ status, parts }) => {
            const length = parts.reduce((sum, part) => sum + part.length, 0);
            if (status !== 200 || length !== answerBytes) throw new Error(`${status}, ${length} bytes`);
          },
        },
      ],
      milliseconds,
    ),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(JSON.parse(process.argv[2] ?? ''));
