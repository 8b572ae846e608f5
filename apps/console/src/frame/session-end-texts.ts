import { definePageTexts } from '@access-admin/languages';

/** The texts of the dialog that asks to sign in again; loaded with it. */
export const SESSION_END_TEXTS = definePageTexts({
  en: {
    title: 'Your session has ended',
    text: 'Sign in again in a new window, then continue here. Nothing that you have typed is lost.',
    'text.framed': 'Sign in again here. Nothing that you have typed is lost.',
    'sign-in': 'Sign in in a new window',
    continue: 'Continue',
  },
  de: {
    title: 'Ihre Sitzung ist beendet',
    text: 'Melden Sie sich in einem neuen Fenster an, und fahren Sie dann hier fort. Ihre Eingaben bleiben erhalten.',
    'text.framed': 'Melden Sie sich hier wieder an. Ihre Eingaben bleiben erhalten.',
    'sign-in': 'In neuem Fenster anmelden',
    continue: 'Fortfahren',
  },
  vi: {
    title: 'Phiên của bạn đã kết thúc',
    text: 'Hãy đăng nhập lại trong cửa sổ mới rồi tiếp tục tại đây. Những gì bạn đã nhập vẫn được giữ.',
    'text.framed': 'Hãy đăng nhập lại tại đây. Những gì bạn đã nhập vẫn được giữ.',
    'sign-in': 'Đăng nhập trong cửa sổ mới',
    continue: 'Tiếp tục',
  },
});
