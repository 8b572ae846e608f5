import type { Source } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { Loads } from '../loads/card.tsx';
import { LoadDrawer, NEW_LOAD } from '../loads/drawer.tsx';
import { State } from '../loads/state.tsx';
import { LOADS_TEXTS } from '../loads/texts.ts';
import { useApi } from '../service/api.tsx';
import { latestLoadQuery } from '../service/sources/loads.ts';
import { useAddressed } from '../ui/dialogs/use-addressed.ts';

interface SourceProps {
  readonly source: Source['id'];
}

/** The way to the latest load of a source, unless all went well. */
export function LatestLoad({ source }: SourceProps) {
  const loadsText = usePageTexts(LOADS_TEXTS);
  const load = useQuery(latestLoadQuery(useApi(), source)).data;
  if (load == null || load.state === 'SUCCESS') return null;
  return (
    <span>
      <Link to="/sources/$id" params={{ id: source }} search={{ load: load.loadId }}>
        {loadsText('latest')}
      </Link>{' '}
      <State load={load} />
    </span>
  );
}

/** The loads of a source, and one of them in full beside the page, as its address says. */
export function SourceLoads({ source }: SourceProps) {
  const { load } = useSearch({ from: '/sources/$id' });
  const navigate = useNavigate({ from: '/sources/$id' });
  const write = useCallback(
    (next: string | null) =>
      navigate({ search: ({ load: _, ...present }) => (next === null ? present : { ...present, load: next }) }),
    [navigate],
  );
  const [open, setOpen] = useAddressed(load ?? null, write);
  return (
    <>
      <Loads source={source} onShow={setOpen} onSend={() => setOpen(NEW_LOAD)} />
      <LoadDrawer source={source} load={open} onClose={() => setOpen(null)} />
    </>
  );
}
