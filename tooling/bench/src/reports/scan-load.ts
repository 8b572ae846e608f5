import { setTimeout as wait } from 'node:timers/promises';
import { runAside, whenAside } from '../measure/run-aside.ts';

/** Scan reports, requested one after the other. */
export interface ScanLoad {
  readonly baseAddress: string;
  readonly token: string;
  /** The last scan begins before these are over. */
  readonly milliseconds: number;
}

const POLL_MS = 50;

/** Requests them from a process of its own; resolves when the last scan is done. Rejects when one fails. */
export const makeScans = (load: ScanLoad): Promise<void> => runAside(import.meta.url, load);

async function run({ baseAddress, token, milliseconds }: ScanLoad): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${baseAddress}${path}`, { ...init, headers });
    return (await response.json()) as { readonly reportId: string; readonly state: string };
  };
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    const { reportId } = await call('/sod-violations/v1/scan', { method: 'POST', body: '{}' });
    for (let state = 'PENDING'; state !== 'SUCCESS'; ) {
      await wait(POLL_MS);
      ({ state } = await call(`/sod-reports/v1/${reportId}`));
      if (state === 'ERROR' || state === undefined) throw new Error(`the scan ended in ${state}`);
    }
  }
}

await whenAside(import.meta.url, run);
