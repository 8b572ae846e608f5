/**
 * What the pages have beyond the look that they share with the console: one column with a form, and larger controls than in tables.
 */
export const STYLE = `
:root {
  --control-height: 2.75rem;
  --control-text: var(--text-body);
  --control-space: var(--space-2) var(--space-3);
  --label-text: var(--text-dense);
}
body { display: flex; flex-direction: column; min-height: 100vh; min-height: 100dvh; overflow-wrap: anywhere; }
header, footer { padding: var(--space-4); }
main { display: flex; flex-direction: column; gap: var(--space-4); width: 100%; max-width: 28rem; margin: 0 auto; padding: 0 var(--space-4) var(--space-4); }
main.wide { max-width: 44rem; }
h1 { margin: 0 0 var(--space-2); font-size: 1.5rem; line-height: 2rem; }
h1:focus-visible { outline: none; }
h2 { font-size: var(--text-lead); line-height: 1.75rem; }
.card { padding: var(--space-6); }
form { display: flex; flex-direction: column; gap: var(--space-4); align-items: flex-start; }
form > .field, form > .message { align-self: stretch; }
/* The ring of the focus takes 5 pixels, and stays 8 clear of the label and the hint. */
.field { gap: 0.8125rem; }
.label + .hint { margin-top: calc(-1 * var(--space-2)); }
.control.from-right:placeholder-shown { direction: rtl; }
.brand.own::before { content: none; }
.brand img { display: block; height: 2.5rem; max-width: 12rem; object-fit: contain; }
.help { padding: 0 var(--space-1); font-size: var(--text-dense); color: var(--muted); }
.muted { color: var(--muted); }
.full { width: 100%; }
main.wide .full { width: auto; }
.message.error { color: var(--critical); }
.message.good { color: var(--good); }
.or { display: flex; gap: var(--space-3); align-items: center; font-size: var(--text-dense); color: var(--muted); }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.rows { padding: 0; list-style: none; }
.rows > li {
  display: flex;
  flex-wrap: wrap;
  gap: var(--space-2) var(--space-4);
  align-items: center;
  justify-content: space-between;
  padding: var(--space-3) 0;
  border-top: 1px solid var(--line);
}
.rows > li:last-child { padding-bottom: 0; }
.rows small { display: block; font-size: var(--text-dense); color: var(--muted); }
.codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: var(--space-2); padding: 0; list-style: none; }
code, .codes li { font: var(--text-body)/1.5 var(--font-code); }
.qr { display: block; width: 13rem; max-width: 100%; height: auto; border: 0.5rem solid #ffffff; background: #ffffff; }
footer { margin-top: auto; }
.languages { flex-direction: row; flex-wrap: wrap; gap: 0 var(--space-4); justify-content: center; }
.languages button { min-height: 2rem; padding: 0; font-size: var(--text-dense); color: var(--accent); text-decoration: underline; text-underline-offset: 0.125em; background: none; border: 0; cursor: pointer; }
.languages [aria-current] { color: var(--muted); text-decoration: none; cursor: default; }
[hidden] { display: none !important; }
@media (min-width: 40rem) {
  header { padding: var(--space-6) var(--space-8); }
  main { padding-top: var(--space-8); }
  .card { padding: var(--space-8); }
}
@media (min-width: 160rem) { html { font-size: 125%; } }
@media (forced-colors: active) { .qr { forced-color-adjust: none; } }
@media (prefers-reduced-motion: no-preference) { .button { transition: background-color 100ms; } }
`;
