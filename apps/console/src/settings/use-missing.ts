import { useQuery } from '@tanstack/react-query';
import { useApi } from '../service/api.tsx';
import { sessionQuery } from '../service/queries.ts';
import { missingForSettings, type SettingRight } from '../service/settings/rights.ts';

/** Finds the capabilities one of which this session lacks for a part of the settings: null where it has one, or is not read yet. */
export function useMissing() {
  const { data } = useQuery(sessionQuery(useApi()));
  return (right: SettingRight) => (data === undefined ? null : missingForSettings(right, data));
}
