import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { violationQuery } from '../service/queries.ts';
import { Drawer } from '../ui/dialogs/drawer.tsx';
import { Failure } from '../ui/failure.tsx';

// It needs much that the list does not.
const Details = lazy(() => import('./details.tsx').then((file) => ({ default: file.Details })));

export interface ViolationDrawerProps {
  /** The violation that is shown; null for none. */
  readonly id: string | null;
  readonly onClose: () => void;
}

/** One violation in full, beside the list. */
export function ViolationDrawer({ id, onClose }: ViolationDrawerProps) {
  const { text } = useSpeech();
  const sought = useDeferredValue(id);
  const violation = useQuery({ ...violationQuery(useApi(), sought ?? ''), enabled: sought !== null });
  const waiting = text(violation.isError ? 'violations.title' : 'state.loading');
  return (
    <Drawer isOpen={id !== null} isWide title={violation.data?.policy.name ?? waiting} onClose={onClose}>
      {violation.isError && <Failure error={violation.error} onRetry={violation.refetch} />}
      {violation.data !== undefined && (
        <Suspense>
          <Details key={sought} violation={violation.data} />
        </Suspense>
      )}
    </Drawer>
  );
}
