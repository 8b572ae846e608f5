import { definePageTexts } from '@access-admin/languages';

/** The texts that surround the sections of this page. */
export const SETTINGS_TEXTS = definePageTexts({
  en: {
    sections: 'Sections of the settings',
    about: 'How people sign in, what the login page shows, and which programs have access.',
    'auth-profiles': 'Auth profiles',
    'sign-in': 'Network and sessions',
    'login-page': 'Login page',
    clients: 'OAuth clients',
    webhooks: 'Webhooks',
  },
  de: {
    sections: 'Abschnitte der Einstellungen',
    about: 'Wie sich Personen anmelden, was die Anmeldeseite zeigt und welche Programme Zugriff haben.',
    'auth-profiles': 'Anmeldeprofile',
    'sign-in': 'Netzwerk und Sitzungen',
    'login-page': 'Anmeldeseite',
    clients: 'OAuth-Clients',
    webhooks: 'Webhooks',
  },
  vi: {
    sections: 'Các phần của cài đặt',
    about: 'Cách mọi người đăng nhập, nội dung của trang đăng nhập và những chương trình có quyền truy cập.',
    'auth-profiles': 'Hồ sơ xác thực',
    'sign-in': 'Mạng và phiên',
    'login-page': 'Trang đăng nhập',
    clients: 'Máy khách OAuth',
    webhooks: 'Webhook',
  },
});
