import type { Source } from '@access-admin/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { Loads } from '../loads/card.tsx';
import { LoadDrawer, NEW_LOAD } from '../loads/drawer.tsx';
import { useAddressed } from '../ui/dialogs/use-addressed.ts';

interface SourceProps {
  readonly source: Source['id'];
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
