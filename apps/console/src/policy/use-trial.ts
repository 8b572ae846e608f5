import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApi } from '../service/api.tsx';
import { type Edit, findDifferences } from '../service/policy/edit.ts';
import { tryDraft } from '../service/policy/trial.ts';

/** Tries an edit out without saving it. */
export function useTrial({ base, draft }: Edit) {
  const api = useApi();
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const trial = useMutation({
    mutationFn: (tried: Edit) => {
      stop.current?.abort();
      stop.current = new AbortController();
      return tryDraft(api, { draft: tried.draft, before: tried.base?.policy ?? null }, stop.current.signal);
    },
  });
  const { variables: tried } = trial;
  return {
    ...trial,
    start: () => trial.mutate({ base, draft }),
    /** Whether the answer is about another draft than the present one. */
    isOutdated:
      tried !== undefined && (tried.base?.etag !== base?.etag || findDifferences(tried.draft, draft).length > 0),
  };
}
