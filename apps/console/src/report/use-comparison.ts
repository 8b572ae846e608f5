import { useCallback, useEffect, useRef, useState } from 'react';
import { useApi } from '../service/api.tsx';
import { type Comparison, compareById } from '../service/reports/comparison.ts';

/** The comparison of two reports in this browser; it ends with the page. */
export function useComparison(earlierId: string, laterId: string) {
  const api = useApi();
  const [comparison, setComparison] = useState<Comparison>({ state: 'running', lines: 0, total: 0 });
  const stop = useRef<AbortController>(null);
  const start = useCallback(() => {
    stop.current?.abort();
    const begun = new AbortController();
    stop.current = begun;
    const onChange = (told: Comparison) => stop.current === begun && setComparison(told);
    compareById(api, { earlierId, laterId }, { signal: begun.signal, onChange });
  }, [api, earlierId, laterId]);
  useEffect(() => {
    start();
    return () => stop.current?.abort();
  }, [start]);
  return { comparison, start, stop: () => stop.current?.abort() };
}
