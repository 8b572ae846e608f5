import type { Source } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { identityProfilesQuery } from '../service/people/new-person.ts';
import { useFieldName } from '../source-form/field-names.ts';
import { SOURCE_FORM_TEXTS } from '../source-form/texts.ts';
import { Card } from '../ui/card.tsx';
import { Drawer } from '../ui/dialogs/drawer.tsx';
import { type Fact, Facts } from '../ui/facts.tsx';
import type { SettingsProps } from './editor.tsx';
import styles from './page.module.css';
import { SOURCE_TEXTS } from './texts.ts';

// Its fields are not needed to read the page.
const Editor = lazy(() => import('./editor.tsx').then((file) => ({ default: file.Editor })));

/** How the accounts of a source find their people, to be read first, and changed beside the page. */
export function Settings({ source }: SettingsProps) {
  const pageText = usePageTexts(SOURCE_TEXTS);
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title={pageText('settings')}
      ways={
        <button type="button" className="button" onClick={() => setOpen(true)}>
          {pageText('edit')}
        </button>
      }
    >
      <Reading source={source.value} />
      <Drawer isOpen={isOpen} title={pageText('settings')} onClose={() => setOpen(false)}>
        <Suspense>
          <Editor source={source} />
        </Suspense>
      </Drawer>
    </Card>
  );
}

function Reading({ source }: { readonly source: Source }) {
  const { number } = useSpeech();
  const formText = usePageTexts(SOURCE_FORM_TEXTS);
  const fieldName = useFieldName();
  const profile = useQuery({ ...identityProfilesQuery(useApi()), enabled: source.identityProfileId !== null });
  const { id, correlation, authoritative, identityProfileId, ignoreDisabled, deleteThresholdPercent, groups } = source;
  const facts: readonly Fact[] = [
    { name: formText('id'), value: <code>{id}</code> },
    {
      name: formText('correlation'),
      value:
        correlation.length === 0 ? (
          formText('correlation.none')
        ) : (
          <ol className={styles['rules']}>
            {correlation.map(({ account, identity }) => (
              <li key={`${account} ${identity}`}>
                <bdi>{fieldName(account)}</bdi> = <bdi>{fieldName(identity)}</bdi>
              </li>
            ))}
          </ol>
        ),
    },
    { name: formText('authoritative'), value: formText(authoritative ? 'yes' : 'no') },
    ...(authoritative
      ? [
          {
            name: formText('identityProfileId'),
            value:
              identityProfileId === null
                ? formText('identityProfileId.default')
                : (profile.data?.find((each) => each.id === identityProfileId)?.name ?? identityProfileId),
          },
        ]
      : []),
    { name: formText('ignoreDisabled'), value: formText(ignoreDisabled ? 'ignoreDisabled.yes' : 'ignoreDisabled.no') },
    {
      name: formText('deleteThresholdPercent'),
      value: `${number(deleteThresholdPercent)} ${formText('percent')}`,
    },
    { name: formText('groups'), value: formText(`groups.${groups}`) },
  ];
  return <Facts facts={facts} isStacked />;
}
