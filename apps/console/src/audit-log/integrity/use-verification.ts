import type { SignedAuditHead } from '@access-admin/client';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../service/api.tsx';
import { type Verification, verifyLog } from '../../service/audit/verification.ts';
import { readNowMs } from '../../service/clock.ts';

/** The verification of the log in this browser; it ends with the page. */
export function useVerification() {
  const api = useApi();
  const [verification, setVerification] = useState<Verification>({ state: 'idle' });
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  return {
    verification,
    start: (kept: SignedAuditHead | null) => {
      stop.current?.abort();
      const begun = new AbortController();
      stop.current = begun;
      verifyLog(api, {
        kept,
        signal: begun.signal,
        onChange: (told) => stop.current === begun && setVerification(told),
        now: readNowMs,
      });
    },
    stop: () => stop.current?.abort(),
  };
}
