import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../service/api.tsx';
import { seenExceptionQuery } from '../service/exceptions/queries.ts';

/**
 * An exception as it is when it is first shown, which is what an approval is of. A later change is told, and is shown once the
 * person asks for it: nothing changes under the eyes of whoever approves.
 */
export function useSeenException(id: string) {
  const present = useQuery(seenExceptionQuery(useApi(), id));
  const [first, setFirst] = useState<typeof present.data>();
  const seen = first ?? present.data ?? null;
  if (first === undefined && present.data !== undefined) setFirst(present.data);
  return {
    seen,
    isChanged: seen !== null && present.data !== undefined && present.data.etag !== seen.etag,
    error: present.isError && seen === null ? present.error : null,
    read: () => void present.refetch(),
    lookAgain: () => setFirst(present.data),
  };
}
