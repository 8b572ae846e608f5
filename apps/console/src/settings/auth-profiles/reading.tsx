import type { AuthProfile } from '@access-admin/client';
import { usePageTexts } from '../../languages/context.tsx';
import { Facts } from '../../ui/facts.tsx';
import { FORM_TEXTS } from '../../ui/forms/texts.ts';
import columns from '../columns.module.css';
import { AUTH_PROFILE_TEXTS } from './texts.ts';

/** The values of an auth profile, without fields, for a session that may only read them. */
export function Reading({ profile }: { readonly profile: AuthProfile }) {
  const pageText = usePageTexts(AUTH_PROFILE_TEXTS);
  const formText = usePageTexts(FORM_TEXTS);
  const { type, offNetwork, untrustedGeography, applicationId, applicationName, strongAuthLogin } = profile;
  const said = (isSo: boolean) => formText(isSo ? 'yes' : 'no');
  return (
    <>
      <Facts
        facts={[
          { name: pageText('type'), value: `${pageText(type)}. ${pageText(`${type}.hint`)}` },
          ...(applicationId === null
            ? []
            : [{ name: pageText('applicationId'), value: applicationName ?? applicationId }]),
          { name: pageText('offNetwork'), value: said(offNetwork) },
          { name: pageText('untrustedGeography'), value: said(untrustedGeography) },
        ]}
      />
      {strongAuthLogin && <p className={columns['note']}>{pageText('strong')}</p>}
      <p className={columns['note']}>{pageText('reading')}</p>
    </>
  );
}
