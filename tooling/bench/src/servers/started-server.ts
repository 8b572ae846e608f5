import type { RunningProcess } from '@access-admin/harness';

/** A server process and the port on which it listens. */
export interface StartedServer {
  readonly port: number;
  readonly running: RunningProcess;
}
