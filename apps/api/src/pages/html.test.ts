import { expect, test } from 'vitest';
import { html } from './html.ts';

test('texts are escaped in elements and attributes', () => {
  const text = `<script>"&'`;
  expect(String(html`<p title="${text}">${text}</p>`)).toBe(
    '<p title="&lt;script&gt;&quot;&amp;&#39;">&lt;script&gt;&quot;&amp;&#39;</p>',
  );
});

test('templates and lists of them are not escaped again', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
  expect(String(html`<ul>${items}</ul>`)).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
});

test('null and false leave nothing, a number its digits', () => {
  expect(String(html`${null}${false}${0}`)).toBe('0');
});
