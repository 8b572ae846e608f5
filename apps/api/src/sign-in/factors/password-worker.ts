import { getPriority, setPriority } from 'node:os';
import { hashPassword, verifyPassword } from './argon2.ts';
import type { PasswordJob } from './password-threads.ts';

// In Linux a priority is that of a thread: requests that are served at the same time come first. Few users may raise one, and
// an error here would end the thread.
const BELOW_NORMAL = 10;
if (process.platform === 'linux' && getPriority(0) < BELOW_NORMAL) setPriority(0, BELOW_NORMAL);

/** Hashes a password, or compares it with a hash. Piscina calls it in a thread. */
// biome-ignore lint/style/noDefaultExport: Piscina calls the default export of the file.
export default ({ password, stored, salt, cost }: PasswordJob): string | boolean =>
  stored === null ? hashPassword(password, salt, cost) : verifyPassword(password, stored);
