import { useQuery } from '@tanstack/react-query';
import { useApi } from '../service/api.tsx';
import { missingRight, type Right } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';

/** Finds the capabilities one of which this session lacks for a part of the settings: null where it has one, or is not read yet. */
export function useMissing() {
  const { data } = useQuery(sessionQuery(useApi()));
  return (right: Right) => (data === undefined ? null : missingRight(right, data));
}
