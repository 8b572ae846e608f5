import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { PAGE_GROUPS } from '../search/pages.ts';
import { useApi } from '../service/api.tsx';
import { missingForPage } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';

const ForbiddenPage = lazy(() => import('./forbidden-page.tsx').then((file) => ({ default: file.ForbiddenPage })));

/** The page of the address, or the capabilities that it would need; nothing until the session is read, so that no page asks for what is refused. */
export function PermittedPage() {
  const { text } = useSpeech();
  const { pathname } = useLocation();
  const { data, isPending } = useQuery(sessionQuery(useApi()));
  const page = PAGE_GROUPS.flatMap(({ pages }) => [...pages]).find(({ link }) => link.to === pathname);
  const missing = page === undefined || data === undefined ? null : missingForPage(page.name, data);
  if (isPending) return null;
  if (page === undefined || missing === null) return <Outlet />;
  return (
    <Suspense>
      <ForbiddenPage title={text(`nav.${page.name}`)} needed={missing} />
    </Suspense>
  );
}
