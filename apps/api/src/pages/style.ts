/**
 * The style of all pages. Lengths are multiples of 0.25rem, sizes of text are 0.875, 1, 1.25 and 1.5rem. Every pair of text and
 * ground has a contrast of 4.5 at least, every border of a control one of 3.
 */
export const STYLE = `:root {
  color-scheme: light dark;
  --ground: #f4f5f7;
  --surface: #ffffff;
  --text: #1c2430;
  --muted: #525c69;
  --line: #d5d9df;
  --control: #767f8c;
  --accent: #1d5a96;
  --on-accent: #ffffff;
  --accent-strong: #16466f;
  --error: #a3242b;
  --error-ground: #fdf1f1;
  --good: #1c6b3c;
  --good-ground: #eef7f1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181d;
    --surface: #1c2127;
    --text: #e4e8ed;
    --muted: #a6afbb;
    --line: #343b44;
    --control: #828c99;
    --accent: #8fbdec;
    --on-accent: #10202f;
    --accent-strong: #b5d4f3;
    --error: #f2a3a3;
    --error-ground: #2f1e20;
    --good: #93d1a8;
    --good-ground: #1b2a21;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html {
  font: 100%/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
  color: var(--text);
  background: var(--ground);
  -webkit-text-size-adjust: 100%;
}
body { display: flex; flex-direction: column; min-height: 100vh; min-height: 100dvh; margin: 0; }
header { padding: 1rem; }
header p { margin: 0; font-size: 0.875rem; font-weight: 600; color: var(--muted); }
main { width: 100%; max-width: 28rem; margin: 0 auto; padding: 0 1rem 2rem; overflow-wrap: anywhere; }
main.wide { max-width: 44rem; }
h1 { margin: 0 0 1.5rem; font-size: 1.5rem; line-height: 2rem; font-weight: 600; }
h2 { margin: 0 0 0.5rem; font-size: 1.25rem; line-height: 1.75rem; font-weight: 600; }
p, ul, ol, dl { margin: 0 0 1rem; }
dd { margin: 0 0 0.5rem; }
.card {
  margin: 0 0 1rem;
  padding: 1.5rem;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}
.card > :last-child, form > :last-child, .message > :last-child { margin-bottom: 0; }
.card form + form, .card form + .or, .card .or + form, .card p + form, .card ul + form, .card form + p { margin-top: 1rem; }
.field { margin: 0 0 1rem; }
label { display: block; margin: 0 0 0.25rem; font-weight: 600; }
.hint { margin: 0 0 0.25rem; font-size: 0.875rem; color: var(--muted); }
.muted { color: var(--muted); }
input {
  display: block;
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  font: inherit;
  color: var(--text);
  background: var(--surface);
  border: 1px solid var(--control);
  border-radius: 0.25rem;
}
input::placeholder { color: var(--muted); opacity: 1; }
input[aria-invalid="true"] { border-color: var(--error); }
button, .button {
  display: inline-block;
  min-height: 2.75rem;
  padding: 0.5rem 1rem;
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  color: var(--on-accent);
  background: var(--accent);
  border: 1px solid var(--accent);
  border-radius: 0.25rem;
  cursor: pointer;
}
button:hover, .button:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
button.quiet, .button.quiet { color: var(--accent); background: transparent; border-color: var(--control); }
button.quiet:hover, .button.quiet:hover { color: var(--accent-strong); border-color: var(--accent-strong); }
button[disabled] { opacity: 0.6; cursor: default; }
.full { width: 100%; }
main.wide .full { width: auto; }
a { color: var(--accent); text-underline-offset: 0.125em; }
a:hover { color: var(--accent-strong); }
:focus-visible { outline: 0.1875rem solid var(--accent); outline-offset: 0.125rem; border-radius: 0.25rem; }
h1:focus-visible { outline: none; }
.message { margin: 0 0 1rem; padding: 0.75rem 1rem; border-left: 0.25rem solid var(--control); border-radius: 0.25rem; }
.message.error { color: var(--error); background: var(--error-ground); border-color: var(--error); }
.message.good { color: var(--good); background: var(--good-ground); border-color: var(--good); }
.or { display: flex; gap: 0.75rem; align-items: center; margin: 1rem 0; font-size: 0.875rem; color: var(--muted); }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.rows { padding: 0; list-style: none; }
.rows > li {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1rem;
  align-items: center;
  justify-content: space-between;
  padding: 0.75rem 0;
  border-top: 1px solid var(--line);
}
.rows > li > form { margin: 0; }
.rows small { display: block; font-size: 0.875rem; color: var(--muted); }
.codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: 0.5rem; padding: 0; list-style: none; }
code, .codes li { font: 1rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.qr { display: block; width: 13rem; max-width: 100%; height: auto; margin: 0 0 1rem; border: 0.5rem solid #ffffff; background: #ffffff; }
[hidden] { display: none !important; }
.away { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (min-width: 40rem) {
  header { padding: 1.5rem 2rem; }
  main { padding-top: 2rem; }
  .card { padding: 2rem; }
}
@media (min-width: 160rem) { html { font-size: 125%; } }
@media (forced-colors: active) {
  .message, button, .button { border: 1px solid; }
  :focus-visible { outline-color: Highlight; }
  .qr { forced-color-adjust: none; }
}
@media (prefers-reduced-motion: no-preference) { button, .button { transition: background-color 100ms; } }
`;
