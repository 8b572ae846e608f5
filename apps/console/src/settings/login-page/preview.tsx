import { usePageTexts } from '../../languages/context.tsx';
import columns from '../columns.module.css';
import styles from './preview.module.css';
import { LOGIN_PAGE_TEXTS } from './texts.ts';

export interface PreviewProps {
  /** Empty for that of the page itself. */
  readonly label: string;
  readonly placeholder: string;
}

/** The login page as it will be. */
export function Preview({ label, placeholder }: PreviewProps) {
  const pageText = usePageTexts(LOGIN_PAGE_TEXTS);
  return (
    <>
      <p className={columns['note']}>{pageText('preview.text')}</p>
      <figure aria-label={pageText('preview.name')} className={styles['window']}>
        <LoginPicture label={label} placeholder={placeholder} />
      </figure>
      <p>
        <a href="/login" target="_blank" rel="noopener">
          {pageText('real')}
        </a>{' '}
        <span className={columns['note']}>{pageText('real.text')}</span>
      </p>
    </>
  );
}

/** The login page is in English only: so are its texts here. Nothing in it can be used. */
export function LoginPicture({ label, placeholder }: PreviewProps) {
  return (
    <div inert lang="en" className={styles['page']}>
      <p className={styles['product']}>Access Admin</p>
      <p className={styles['title']}>Sign in</p>
      <div className={styles['card']}>
        <span className={styles['label']} dir="auto">
          {label === '' ? 'Username' : label}
        </span>
        <span className={styles['input']} dir="auto">
          {placeholder}
        </span>
        <span className={styles['label']}>Password</span>
        <span className={styles['input']} />
        <span className={styles['button']}>Sign in</span>
      </div>
    </div>
  );
}
