import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import type { NewPersonKind } from '../service/people/search.ts';
import { Drawer } from '../ui/dialogs/drawer.tsx';
import { useAddressed } from '../ui/dialogs/use-addressed.ts';
import { PEOPLE_TEXTS } from './texts.ts';

const NewPersonForm = lazy(() => import('./new-person.tsx').then((file) => ({ default: file.NewPersonForm })));

/** The ways to a new person: with or without a link to sign in. The address says which one is open. */
export function NewPersonButtons() {
  const pageText = usePageTexts(PEOPLE_TEXTS);
  const { create } = useSearch({ from: '/people' });
  const navigate = useNavigate({ from: '/people' });
  const write = useCallback(
    (next: NewPersonKind | undefined) =>
      navigate({
        search: ({ create: _, ...present }) => (next === undefined ? present : { ...present, create: next }),
      }),
    [navigate],
  );
  const [purpose, open] = useAddressed(create, write);
  // What is shown while it closes.
  const [shown, setShown] = useState<NewPersonKind>('invite');
  if (purpose !== undefined && purpose !== shown) setShown(purpose);
  return (
    <>
      <button type="button" className="button" onClick={() => open('new')}>
        {pageText('new')}
      </button>
      <button type="button" className="button main" onClick={() => open('invite')}>
        {pageText('invite')}
      </button>
      <Drawer isOpen={purpose !== undefined} title={pageText(shown)} onClose={() => open(undefined)}>
        <Suspense>
          <NewPersonForm key={shown} isInvited={shown === 'invite'} />
        </Suspense>
      </Drawer>
    </>
  );
}
