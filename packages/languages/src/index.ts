export { chooseLanguage, isLanguage, LANGUAGES, type Language, localeOf } from './choice/choose.ts';
export { LANGUAGE_COOKIE, type LanguageCookie, languageOfCookies, writeLanguageCookie } from './choice/cookie.ts';
export { LOGIN_TEXTS } from './login/texts.ts';
export { fillIn, fillParts, type Plural, type Values } from './texts/fill-in.ts';
export { findTextFaults } from './texts/find-faults.ts';
export { definePageTexts, type KeyOf, type PageTexts } from './texts/page-texts.ts';
