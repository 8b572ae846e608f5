import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../service/api.tsx';
import { type LoadFile, sendFile } from '../service/sources/load-file.ts';

/** Sends a file as a load of a source. Leaving the page stops that; the browser asks before it is closed. */
export function useSending(source: string) {
  const api = useApi();
  const queries = useQueryClient();
  const [share, setShare] = useState(0);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const { error, ...sending } = useMutation({
    mutationFn: (load: Omit<LoadFile, 'source'>) => {
      stop.current = new AbortController();
      setShare(0);
      const onSent = (bytes: number) => setShare(bytes / load.file.size);
      return sendFile(api, { ...load, source }, { signal: stop.current.signal, onSent });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['loads'] }),
  });
  const { isPending } = sending;
  useEffect(() => {
    if (!isPending) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isPending]);
  return {
    ...sending,
    /** Null also where somebody has stopped it. */
    error: stop.current?.signal.aborted ? null : error,
    /** How much of the file is sent, from 0 to 1. */
    share,
    stop: () => stop.current?.abort(),
  };
}
