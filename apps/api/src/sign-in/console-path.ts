import { EFFECTIVE_CAPABILITIES } from '@access-admin/contract';
import type { PageContext } from './pages/context.ts';
import type { LiveSession } from './session.ts';

/** Where the console is. */
export const CONSOLE_PATH = '/console/';

/** The path of the console; null where it is not built, or has nothing for the holder of a session: no capability permits anything. */
export const consolePathOf = (c: PageContext, { session: { capabilities } }: LiveSession): string | null =>
  c.env.services.consoleDocument !== null && capabilities.some((each) => EFFECTIVE_CAPABILITIES.has(each))
    ? CONSOLE_PATH
    : null;
