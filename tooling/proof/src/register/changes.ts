import { setTimeout as delay } from 'node:timers/promises';
import {
  type AccessAdminClient,
  ConflictError,
  InvalidRequestError,
  PreconditionRequiredError,
} from '@access-admin/client';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';
import { isRefusal } from '../load/customers.ts';
import { drawChange, drawSubject, drawWindow } from './duties.ts';

/** Clients of one API: an application that imports, and two identities with four eyes. */
export interface Changers {
  readonly application: AccessAdminClient;
  readonly asker: AccessAdminClient;
  readonly approver: AccessAdminClient;
}

const createBook = () => ({
  /** Acknowledged imports. */
  imports: 0,
  /** Exceptions by the steps that were acknowledged. */
  requested: new Set<string>(),
  approved: new Set<string>(),
  revoked: new Set<string>(),
  failed: 0,
  refusals: [] as string[],
});
type Book = ReturnType<typeof createBook>;

export type Changes = ReturnType<typeof startChanges>;

/** Prepares changes of what violations depend on. With a pause they are made from now on, one after the other through each API. */
export function startChanges(
  all: readonly Changers[],
  { seed, pauseMs }: { readonly seed: number; readonly pauseMs: number | null },
) {
  const book = createBook();
  let isStopping = false;
  const makers = all.map((changers, number) => {
    const random = createRandom(seed * 1_000 + 500 + number);
    const make = async () => {
      try {
        await changeOnce(changers, book, random);
      } catch (error) {
        book.failed += 1;
        if (!isExpected(error) && isRefusal(error)) book.refusals.push(String(error));
      }
    };
    return { make, random };
  });
  const working = makers.map(async ({ make, random }) => {
    while (pauseMs !== null && !isStopping) {
      await make();
      await delay(random(pauseMs + 1));
    }
  });
  return Object.assign(book, {
    /** Makes one change through each API. */
    makeOne: async () => void (await Promise.all(makers.map(({ make }) => make()))),
    stop: async () => {
      isStopping = true;
      await Promise.all(working);
    },
  });
}

/** The identity may be deleted by now, the conflict be another one, it or the time be over, and another exception exist. */
const isExpected = (error: unknown): boolean =>
  error instanceof ConflictError ||
  error instanceof PreconditionRequiredError ||
  (error instanceof InvalidRequestError &&
    /exceptions\S* (400\.1\.404|.* end: must be in the future)/.test(error.message));

async function changeOnce({ application, asker, approver }: Changers, book: Book, random: Random): Promise<void> {
  const drawn = random(4);
  if (drawn > 1) {
    await application.accessModel.import(drawChange(random));
    book.imports += 1;
  } else if (drawn === 1 || book.approved.size === 0) {
    const wish = { ...drawSubject(random), ...drawWindow(random), justification: 'for a while' };
    const { id } = await asker.sodExceptions.create(wish);
    book.requested.add(id);
    await approver.sodExceptions.approve(id);
    book.approved.add(id);
  } else {
    const id = drawOne(random, [...book.approved]);
    await approver.sodExceptions.revoke(id);
    book.revoked.add(id);
  }
}
