import type { Branding } from '@access-admin/client';
import { useQueryClient } from '@tanstack/react-query';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { brandOf, brandQuery } from '../../service/brand.ts';
import { brandingQuery } from '../../service/settings/queries.ts';
import { Card } from '../../ui/card.tsx';
import { TextAreaField, TextField } from '../../ui/fields/text-field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import { SaveBar } from '../../ui/forms/save-bar.tsx';
import { type Draft, useDraft, type Versioned } from '../../ui/forms/use-draft.ts';
import { LogoField } from './logo-field.tsx';
import { LOGIN_PAGE_TEXTS } from './texts.ts';

/** The values of the form: what is not set is empty. */
export interface BrandingForm {
  readonly title: string;
  readonly logo: string;
  readonly helpText: string;
}

const formOf = ({ title, logo, helpText }: Branding): BrandingForm => ({
  title: title ?? '',
  logo: logo ?? '',
  helpText: helpText ?? '',
});

/** The changes of the branding that are typed. */
export function useBranding({ value, etag }: Versioned<Branding>): Draft<BrandingForm> {
  const api = useApi();
  const queries = useQueryClient();
  return useDraft({
    read: { value: formOf(value), etag },
    queryKey: brandingQuery(api).queryKey,
    save: async (changes, ifMatch) => {
      const set = Object.fromEntries(Object.entries(changes).map(([name, text]) => [name, text === '' ? null : text]));
      queries.setQueryData(brandQuery.queryKey, brandOf(await api.branding.set(set, { ifMatch })));
    },
  });
}

/** The title, the logo and the text of help of the tenant. */
export function BrandingCard({ draft }: { readonly draft: Draft<BrandingForm> }) {
  const pageText = usePageTexts(LOGIN_PAGE_TEXTS);
  const labels = { title: pageText('title'), logo: pageText('logo'), helpText: pageText('help') };
  const refusals = sortRefusals(draft.error, Object.keys(labels));
  return (
    <Card title={pageText('branding')}>
      <Form label={pageText('branding')} onSubmit={draft.save}>
        <TextField
          label={labels.title}
          hint={pageText('title.hint')}
          value={draft.value.title}
          errors={refusals.at['title']}
          onChange={(title) => draft.change({ title })}
        />
        <LogoField value={draft.value.logo} errors={refusals.at['logo']} onChange={(logo) => draft.change({ logo })} />
        <TextAreaField
          label={labels.helpText}
          hint={pageText('help.hint')}
          lengthMax={HELP_LENGTH_MAX}
          value={draft.value.helpText}
          errors={refusals.at['helpText']}
          onChange={(helpText) => draft.change({ helpText: helpText.replaceAll('\n', ' ') })}
        />
        <SaveBar draft={draft} labels={labels} refusals={refusals} />
      </Form>
    </Card>
  );
}

const HELP_LENGTH_MAX = 500;
