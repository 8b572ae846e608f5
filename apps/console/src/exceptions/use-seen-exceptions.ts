import type { SodException } from '@access-admin/client';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../service/api.tsx';
import { seenExceptionQuery } from '../service/exceptions/queries.ts';

/** An exception with the version that an approval of it names. */
interface Version {
  readonly value: SodException;
  readonly etag: string;
}

/** An exception as it is shown. */
export interface SeenException {
  /** Null until it is read. */
  readonly seen: Version | null;
  /** Whether it is another one by now. */
  readonly isChanged: boolean;
  /** Why it cannot be read. */
  readonly error: Error | null;
}

/**
 * Exceptions as they are when they are first shown, which is what an approval is of. A later change is announced, and is shown when it
 * is requested: the terms do not change while a person reads them.
 */
export function useSeenExceptions(ids: readonly string[]) {
  const api = useApi();
  const present = useQueries({ queries: ids.map((id) => seenExceptionQuery(api, id)) });
  const [first, setFirst] = useState<ReadonlyMap<string, Version>>(new Map());
  const read = present.flatMap(({ data }) => data ?? []);
  const added = read.filter(({ value }) => !first.has(value.id));
  if (added.length > 0) setFirst(new Map([...first, ...versionsOf(added)]));
  return {
    exceptions: present.map(({ data, error }, at): SeenException => {
      const seen = first.get(ids[at] ?? '') ?? data ?? null;
      const isChanged = seen !== null && data !== undefined && data.etag !== seen.etag;
      return { seen, isChanged, error: seen === null ? error : null };
    }),
    read: () => present.forEach(({ refetch }) => void refetch()),
    lookAgain: () => setFirst(new Map(versionsOf(read))),
  };
}

const versionsOf = (versions: readonly Version[]) => versions.map((each) => [each.value.id, each] as const);
