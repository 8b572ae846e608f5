import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { accountQuery } from '../service/sources/queries.ts';
import { Drawer } from '../ui/dialogs/drawer.tsx';
import { Failure } from '../ui/failure.tsx';

// It needs a look-up of people, which the list does not.
const AccountDetails = lazy(() => import('./account.tsx').then((file) => ({ default: file.AccountDetails })));

export interface AccountDrawerProps {
  /** The key of the account that is shown; null for none. */
  readonly accountKey: string | null;
  readonly onClose: () => void;
}

/** One account in full, beside the list. */
export function AccountDrawer({ accountKey, onClose }: AccountDrawerProps) {
  const { text } = useSpeech();
  const account = useQuery({ ...accountQuery(useApi(), accountKey ?? ''), enabled: accountKey !== null });
  return (
    <Drawer isOpen={accountKey !== null} title={account.data?.value.name ?? text('state.loading')} onClose={onClose}>
      {account.isError && <Failure error={account.error} onRetry={account.refetch} />}
      {account.data !== undefined && (
        <Suspense>
          <AccountDetails key={accountKey} account={account.data} />
        </Suspense>
      )}
    </Drawer>
  );
}
