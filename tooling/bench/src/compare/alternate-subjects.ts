import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Checkout } from './checkout.ts';
import { type Compared, collectRounds } from './ratios.ts';
import type { SUBJECTS, Values } from './subjects.ts';

const PROGRAM = fileURLToPath(new URL('run-subject.ts', import.meta.url));

interface SubjectProcess extends Disposable {
  round(): Promise<Values>;
}

/** Measures a subject in both checkouts, in one process each, in alternate rounds. */
export async function compareSubjects(
  checkouts: readonly Checkout[],
  name: keyof typeof SUBJECTS,
  { rounds, argumentOf = () => '' }: { readonly rounds: number; readonly argumentOf?: (checkout: Checkout) => string },
): Promise<readonly Compared[]> {
  using processes = new DisposableStack();
  const opened: SubjectProcess[] = [];
  for (const checkout of checkouts)
    opened.push(processes.use(await startSubject([checkout.folder, name, argumentOf(checkout)])));
  return await collectRounds(opened, (each) => each.round(), rounds);
}

async function startSubject(argv: readonly string[]): Promise<SubjectProcess> {
  const child = fork(PROGRAM, argv, { execArgv: ['--conditions=@access-admin/source'] });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${argv.join(' ')} ended with exit code ${code}`);
  });
  failed.catch(() => {});
  const next = async () => (await Promise.race([once(child, 'message'), failed]))[0];
  await next();
  return {
    round: () => {
      child.send('round');
      return next();
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}
