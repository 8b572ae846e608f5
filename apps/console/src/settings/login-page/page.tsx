import type { Branding, UiMetadata } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { brandingQuery, uiMetadataQuery } from '../../service/settings/queries.ts';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextAreaField, TextField } from '../../ui/fields/text-field.tsx';
import { linesOf } from '../../ui/forms/changes.ts';
import { Form } from '../../ui/forms/form.tsx';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import { SaveBar } from '../../ui/forms/save-bar.tsx';
import { useDraft, type Versioned } from '../../ui/forms/use-draft.ts';
import columns from '../columns.module.css';
import { BrandingCard, useBranding } from './branding.tsx';
import { FramePreview } from './frame-preview.tsx';
import { Preview } from './preview.tsx';
import { LOGIN_PAGE_TEXTS } from './texts.ts';

/** What the login page shows, and who may frame it, with a preview. */
export function LoginPageSection() {
  const api = useApi();
  const metadata = useQuery(uiMetadataQuery(api));
  const branding = useQuery(brandingQuery(api));
  const failed = [metadata, branding].find(({ isError }) => isError);
  if (failed !== undefined) return <Failure error={failed.error} onRetry={failed.refetch} />;
  if (metadata.data === undefined || branding.data === undefined) return null;
  return <Editor metadata={metadata.data} branding={branding.data} />;
}

/** The values of the form: origins are one a line, and what is not set is empty. */
const formOf = ({ usernameLabel, usernameEmptyText, iFrameWhitelist }: UiMetadata) => ({
  usernameLabel: usernameLabel ?? '',
  usernameEmptyText: usernameEmptyText ?? '',
  iFrameWhitelist: (iFrameWhitelist ?? '').replaceAll(' ', '\n'),
});

const originsOf = (lines: string): string | null => linesOf(lines)?.join(' ') ?? null;

interface EditorProps {
  readonly metadata: Versioned<UiMetadata>;
  readonly branding: Versioned<Branding>;
}

function Editor({ metadata: { value, etag }, branding }: EditorProps) {
  const pageText = usePageTexts(LOGIN_PAGE_TEXTS);
  const brand = useBranding(branding);
  const api = useApi();
  const draft = useDraft({
    read: { value: formOf(value), etag },
    queryKey: uiMetadataQuery(api).queryKey,
    save: ({ iFrameWhitelist: lines, ...texts }, ifMatch) => {
      const set = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text === '' ? null : text]));
      const origins = lines === undefined ? {} : { iFrameWhitelist: originsOf(lines) };
      return api.uiMetadata.set({ ...set, ...origins }, { ifMatch });
    },
  });
  const labels = {
    usernameLabel: pageText('label'),
    usernameEmptyText: pageText('placeholder'),
    iFrameWhitelist: pageText('origins'),
  };
  const refusals = sortRefusals(draft.error, Object.keys(labels));
  const shown = {
    ...brand.value,
    label: draft.value.usernameLabel,
    placeholder: draft.value.usernameEmptyText,
  };
  const field = (name: keyof typeof labels) => ({
    label: labels[name],
    value: draft.value[name],
    errors: refusals.at[name],
    onChange: (text: string) => draft.change({ [name]: text }),
  });
  return (
    <div className={columns['columns']}>
      <div className={columns['stack']}>
        <BrandingCard draft={brand} />
        <Card title={pageText('shown')}>
          <Form label={pageText('shown')} onSubmit={draft.save}>
            <TextField {...field('usernameLabel')} hint={pageText('label.hint')} />
            <TextField {...field('usernameEmptyText')} hint={pageText('placeholder.hint')} />
            <TextAreaField isList {...field('iFrameWhitelist')} hint={pageText('origins.hint')} />
            <SaveBar draft={draft} labels={labels} refusals={refusals} />
          </Form>
        </Card>
      </div>
      <div className={columns['stack']}>
        <Card title={pageText('preview')}>
          <Preview {...shown} />
        </Card>
        <Card title={pageText('framing')}>
          <FramePreview whitelist={originsOf(draft.value.iFrameWhitelist)} {...shown} />
        </Card>
      </div>
    </div>
  );
}
