import { usePageTexts } from '../languages/context.tsx';
import { requestOf, type WhatIfSearch } from '../service/what-if-search.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import styles from './page.module.css';
import { WHAT_IF_TEXTS } from './texts.ts';

/** The question as a request of the API, for a shell. */
export function AsRequest({ search }: { readonly search: WhatIfSearch }) {
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const body = JSON.stringify(requestOf(search), null, 2);
  const lines = [
    `curl '${window.location.origin}/sod-violations/v1/predict?include=via,remediation,pending'`,
    `-H "Authorization: Bearer $TOKEN"`,
    "-H 'Content-Type: application/json'",
    `-d '${body.replaceAll("'", "'\\''")}'`,
  ];
  const request = lines.join(' \\\n  ');
  return (
    <div className={styles['request']}>
      <p>
        <CopyButton value={request} label={pageText('copy')} />
      </p>
      <details>
        <summary>{pageText('request')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
        <pre tabIndex={0}>{request}</pre>
      </details>
    </div>
  );
}
