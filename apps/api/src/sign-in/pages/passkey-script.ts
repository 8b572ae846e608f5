/**
 * The only script of pages. A form with `data-passkey` is a ceremony: the script asks the address in it for the options, lets the
 * browser sign or create, and sends the form with the answer in its field `credential`. Where a browser has no passkeys, such
 * forms stay hidden. What it tells of errors, by their names, is in attributes of the form.
 */
export const PASSKEY_SCRIPT = `'use strict';
const supported = typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function';
for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!supported) continue;
  const button = form.querySelector('button');
  const status = form.querySelector('[role="alert"]');
  const tell = (text) => {
    status.textContent = text;
    status.hidden = text === '';
  };
  document.querySelectorAll('[data-needs-passkeys]').forEach((part) => { part.hidden = false; });
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    tell('');
    try {
      const response = await fetch(form.dataset.passkey, { method: 'POST', headers: { accept: 'application/json' } });
      if (!response.ok) throw new Error('no options');
      const options = await response.json();
      const credential = form.dataset.ceremony === 'create'
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
      form.elements.namedItem('credential').value = JSON.stringify(credential.toJSON());
      HTMLFormElement.prototype.submit.call(form);
    } catch (error) {
      button.disabled = false;
      tell(form.getAttribute('data-' + error.name) ?? form.dataset.failed);
      button.focus();
    }
  });
}
`;
