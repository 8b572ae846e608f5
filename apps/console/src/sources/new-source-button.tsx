import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import type { SourcesSearch } from '../service/sources/search.ts';
import { Drawer } from '../ui/dialogs/drawer.tsx';
import { useAddressed } from '../ui/dialogs/use-addressed.ts';
import { SOURCES_TEXTS } from './texts.ts';

const NewSource = lazy(() => import('./new-source.tsx').then((file) => ({ default: file.NewSource })));

/** The way to a new source. The address says whether its form is open. */
export function NewSourceButton() {
  const pageText = usePageTexts(SOURCES_TEXTS);
  const { create } = useSearch({ from: '/sources' });
  const navigate = useNavigate({ from: '/sources' });
  const write = useCallback(
    (next: SourcesSearch['create']) => navigate({ search: next === undefined ? {} : { create: next } }),
    [navigate],
  );
  const [open, setOpen] = useAddressed(create, write);
  return (
    <>
      <button type="button" className="button main" onClick={() => setOpen('source')}>
        {pageText('new')}
      </button>
      <Drawer isOpen={open !== undefined} title={pageText('new')} onClose={() => setOpen(undefined)}>
        <Suspense>
          <NewSource />
        </Suspense>
      </Drawer>
    </>
  );
}
