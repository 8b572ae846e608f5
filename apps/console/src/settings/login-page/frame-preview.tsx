import { useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { decideFraming, originsOf } from '../../service/settings/framing.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import columns from '../columns.module.css';
import styles from './preview.module.css';
import { LoginPicture, type PreviewProps } from './preview.tsx';
import { LOGIN_PAGE_TEXTS } from './texts.ts';

export interface FramePreviewProps extends PreviewProps {
  readonly whitelist: string | null;
}

/** Whether a page of another site may show the login page, as a picture of that page. */
export function FramePreview({ whitelist, ...texts }: FramePreviewProps) {
  const pageText = usePageTexts(LOGIN_PAGE_TEXTS);
  const [typed, setTyped] = useState<string | null>(null);
  // Until somebody types another one, the first of the list.
  const site = typed ?? originsOf(whitelist)[0]?.replace('*.', 'www.') ?? 'https://intranet.example.com';
  const framing = decideFraming(whitelist, site, location.origin);
  return (
    <>
      <TextField
        label={pageText('framing.page')}
        hint={pageText('framing.hint')}
        type="url"
        value={site}
        onChange={setTyped}
      />
      <p role="status" dir="auto" className={framing === 'ALLOWED' ? styles['good'] : styles['bad']}>
        {pageText(framing, { origin: site.trim() })}
      </p>
      {location.protocol === 'http:' && <p className={columns['note']}>{pageText('insecure')}</p>}
      <figure aria-label={pageText('framing.name')} className={styles['window']}>
        <p className={styles['address']} dir="auto">
          {site}
        </p>
        <div className={styles['site']} aria-hidden="true">
          <span className={styles['line']} />
          <div className={styles['frame']}>
            {framing === 'ALLOWED' ? (
              <LoginPicture {...texts} />
            ) : (
              <p className={styles['blocked']}>{pageText('blocked')}</p>
            )}
          </div>
        </div>
      </figure>
    </>
  );
}
