import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useSpeech } from '../languages/context.tsx';
import { PAGE_GROUPS } from '../search/pages.ts';
import { useApi } from '../service/api.tsx';
import { missingForPage } from '../service/page-rights.ts';
import { sessionQuery } from '../service/queries.ts';
import { Heading } from '../ui/heading.tsx';
import { MissingRight } from '../ui/missing-right.tsx';

/** The page of the address, or the capabilities that it would need. */
export function PermittedPage() {
  const { text } = useSpeech();
  const { pathname } = useLocation();
  const { data } = useQuery(sessionQuery(useApi()));
  const page = PAGE_GROUPS.flatMap(({ pages }) => [...pages]).find(({ link }) => link.to === pathname);
  const missing = page === undefined || data === undefined ? null : missingForPage(page.name, data);
  if (page === undefined || missing === null) return <Outlet />;
  return (
    <>
      <Heading title={text(`nav.${page.name}`)} />
      <MissingRight needed={missing} />
    </>
  );
}
