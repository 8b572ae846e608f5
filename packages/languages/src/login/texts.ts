import { definePageTexts } from '../texts/page-texts.ts';

/** The texts of the form of sign-in, of which the console shows a picture. */
export const LOGIN_TEXTS = definePageTexts({
  en: { title: 'Sign in', username: 'Username', password: 'Password', submit: 'Sign in' },
  de: { title: 'Anmelden', username: 'Benutzername', password: 'Passwort', submit: 'Anmelden' },
  vi: { title: 'Đăng nhập', username: 'Tên người dùng', password: 'Mật khẩu', submit: 'Đăng nhập' },
});
