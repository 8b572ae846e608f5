import { useQuery } from '@tanstack/react-query';
import { useApi } from '../service/api.tsx';
import { missingForPage } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { PAGE_GROUPS } from './pages.ts';

/** The groups of the pages that can show something to the session; all of them until it is read. */
export function usePageGroups() {
  const { data } = useQuery(sessionQuery(useApi()));
  if (data === undefined) return PAGE_GROUPS;
  return PAGE_GROUPS.map((group) => ({
    ...group,
    pages: group.pages.filter(({ name }) => missingForPage(name, data) === null),
  })).filter(({ pages }) => pages.length > 0);
}
