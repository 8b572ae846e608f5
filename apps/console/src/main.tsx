import '@access-admin/look';
import './look/base.css';
import { createRoot } from 'react-dom/client';
import { createMarkedFetch } from './frame/activity.ts';
import { Console, speak } from './frame/console.tsx';
import { loadLanguage } from './languages/load.ts';
import { applyTheme, readPreferences } from './look/theme.ts';
import { createApi } from './service/api.tsx';

const preferences = readPreferences();
applyTheme(preferences.theme)();
const place = document.getElementById('console');
if (place === null) throw new Error('the document has no place for the console');
const api = createApi(
  window.location.origin,
  createMarkedFetch(window, (url, init) => fetch(url, init)),
);
const spoken = speak(preferences.language);
// No `await` here: what waits is no module that others can share, and would be split into many small files.
loadLanguage(spoken.language).then(() =>
  createRoot(place).render(<Console api={api} preferences={preferences} spoken={spoken} />),
);
