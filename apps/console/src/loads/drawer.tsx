import { usePageTexts } from '../languages/context.tsx';
import { Drawer } from '../ui/dialogs/drawer.tsx';
import { Details } from './details.tsx';
import { LOADS_TEXTS } from './texts.ts';
import { Upload } from './upload.tsx';

/** What the address of a source says where a file is to be loaded. */
export const NEW_LOAD = 'new';

export interface LoadDrawerProps {
  readonly source: string;
  /** The id of the load that is shown, or `new` for a file to load; null for none. */
  readonly load: string | null;
  readonly onClose: () => void;
}

/** A load in full, or a file to load, beside the page of its source. */
export function LoadDrawer({ source, load, onClose }: LoadDrawerProps) {
  const pageText = usePageTexts(LOADS_TEXTS);
  return (
    <Drawer isOpen={load !== null} title={pageText(load === NEW_LOAD ? 'send' : 'load')} onClose={onClose}>
      {load === NEW_LOAD ? (
        <Upload source={source} onClose={onClose} />
      ) : (
        load !== null && <Details key={load} source={source} loadId={load} />
      )}
    </Drawer>
  );
}
