import { withConnections } from '../load/http-connection.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { runAside, whenAside } from '../measure/run-aside.ts';

/** The heaviest requests, sent by one process at a fixed rate. */
export interface WorstLoad {
  readonly port: number;
  readonly perSecond: number;
  readonly milliseconds: number;
  /** The bytes of a whole request, in base64. */
  readonly request: string;
  /** Length of the body of each answer. */
  readonly answerBytes: number;
}

const CONNECTIONS = 8;

/** Sends them from a process of its own; resolves when all are answered. Rejects when an answer is incomplete. */
export const sendWorstLoad = (load: WorstLoad): Promise<void> => runAside(import.meta.url, load);

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

await whenAside(import.meta.url, run);
