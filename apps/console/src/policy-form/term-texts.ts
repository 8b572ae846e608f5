import { definePageTexts } from '@access-admin/languages';

/** The words for the terms of a policy, which lists show too. */
export const TERM_TEXTS = definePageTexts({
  en: {
    ENFORCED: 'Enforced',
    NOT_ENFORCED: 'Not enforced',
    TWO_SIDED: 'Two sides',
    K_OF_N: 'Some of several sides',
    CRITICAL: 'Critical access',
    state: 'State',
    level: 'Level',
  },
  de: {
    ENFORCED: 'In Kraft',
    NOT_ENFORCED: 'Nicht in Kraft',
    TWO_SIDED: 'Zwei Seiten',
    K_OF_N: 'Einige von mehreren Seiten',
    CRITICAL: 'Kritischer Zugriff',
    state: 'Zustand',
    level: 'Stufe',
  },
  vi: {
    ENFORCED: 'Đang áp dụng',
    NOT_ENFORCED: 'Không áp dụng',
    TWO_SIDED: 'Hai bên',
    K_OF_N: 'Một số trong nhiều bên',
    CRITICAL: 'Quyền trọng yếu',
    state: 'Trạng thái',
    level: 'Mức độ',
  },
});
