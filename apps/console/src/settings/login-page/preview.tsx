import { LOGIN_TEXTS } from '@access-admin/languages';
import { usePageTexts } from '../../languages/context.tsx';
import columns from '../columns.module.css';
import type { BrandingForm } from './branding.tsx';
import styles from './preview.module.css';
import { LOGIN_PAGE_TEXTS } from './texts.ts';

export interface PreviewProps extends BrandingForm {
  /** Empty for that of the page itself. */
  readonly label: string;
  readonly placeholder: string;
}

/** The login page as it will be. */
export function Preview(props: PreviewProps) {
  const pageText = usePageTexts(LOGIN_PAGE_TEXTS);
  return (
    <>
      <p className={columns['note']}>{pageText('preview.text')}</p>
      <figure aria-label={pageText('preview.name')} className={styles['window']}>
        <LoginPicture {...props} />
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

/** The login page in the language of the console. Nothing in it can be used. */
export function LoginPicture({ label, placeholder, title, logo, helpText }: PreviewProps) {
  const text = usePageTexts(LOGIN_TEXTS);
  return (
    <div inert className={styles['page']}>
      <p className={`brand ${logo === '' ? '' : styles['own']}`} dir="auto">
        {logo !== '' && <img src={logo} alt="" className={styles['logo']} />}
        {title === '' ? 'Access Admin' : title}
      </p>
      <p className={styles['title']}>{text('title')}</p>
      <div className={`card ${styles['form']}`}>
        <div className="field">
          <span className="label" dir="auto">
            {label === '' ? text('username') : label}
          </span>
          <span className={`control ${styles['empty']}`} dir="auto">
            {placeholder}
          </span>
        </div>
        <div className="field">
          <span className="label">{text('password')}</span>
          <span className="control" />
        </div>
        <span className="button main">{text('submit')}</span>
      </div>
      {helpText !== '' && (
        <p className={styles['help']} dir="auto">
          {helpText}
        </p>
      )}
    </div>
  );
}
