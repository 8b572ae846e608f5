import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useSpeech } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import { Failure } from '../parts/failure.tsx';
import { useApi } from '../service/api.tsx';
import { violationQuery } from '../service/queries.ts';
import { Details } from './details.tsx';
import styles from './drawer.module.css';

export interface DrawerProps {
  /** The violation that is shown; null for none. */
  readonly id: string | null;
  readonly onClose: () => void;
}

/** One violation in full, beside the list. */
export function Drawer({ id, onClose }: DrawerProps) {
  return (
    <Dialog.Root open={id !== null} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles['veil']} />
        <Dialog.Popup className={styles['drawer']}>{id !== null && <Content id={id} />}</Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Content({ id }: { readonly id: string }) {
  const { text } = useSpeech();
  const violation = useQuery(violationQuery(useApi(), id));
  return (
    <>
      <div className={styles['top']}>
        <Dialog.Title className={styles['title']} dir="auto">
          {violation.data?.policy.name ?? text('state.loading')}
        </Dialog.Title>
        <Dialog.Close className={button['button']}>{text('state.close')}</Dialog.Close>
      </div>
      {violation.isError && <Failure error={violation.error} onRetry={violation.refetch} />}
      {violation.data !== undefined && <Details violation={violation.data} />}
    </>
  );
}
