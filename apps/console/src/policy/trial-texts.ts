import { definePageTexts } from '@access-admin/languages';

/** The texts of what a trial has found. */
export const TRIAL_TEXTS = definePageTexts({
  en: {
    'tried.verdict.new': {
      one: '{count} more person would violate it.',
      other: '{count} more people would violate it.',
    },
    'tried.verdict.gone': {
      one: '{count} person would no longer violate it.',
      other: '{count} people would no longer violate it.',
    },
    'tried.nothing': 'The same people as before would violate it.',
    'tried.basis': { one: 'Checked against {count} person.', other: 'Checked against {count} people.' },
    'tried.supposed': 'The policy is not enforced. This is what it would do if it were.',
    'tried.outdated': 'You have changed the policy since: try it again.',
    'tried.new': { one: '{count} new', other: '{count} new' },
    'tried.gone': { one: '{count} gone', other: '{count} gone' },
    'tried.same': { one: '{count} as before', other: '{count} as before' },
    'tried.more': { one: '{count} more', other: '{count} more' },
    'tried.first': { one: 'Only the first is listed.', other: 'Only the first {count} are listed.' },
    'tried.covered': 'covered by an exception until {day}',
  },
  de: {
    'tried.verdict.new': {
      one: '{count} weitere Person verstieße dagegen.',
      other: '{count} weitere Personen verstießen dagegen.',
    },
    'tried.verdict.gone': {
      one: '{count} Person verstieße nicht mehr dagegen.',
      other: '{count} Personen verstießen nicht mehr dagegen.',
    },
    'tried.nothing': 'Dieselben Personen wie bisher verstießen dagegen.',
    'tried.basis': { one: 'An {count} Person geprüft.', other: 'An {count} Personen geprüft.' },
    'tried.supposed': 'Die Richtlinie ist nicht in Kraft. Das geschähe, wenn sie es wäre.',
    'tried.outdated': 'Sie haben die Richtlinie seither geändert: Probieren Sie sie noch einmal aus.',
    'tried.new': { one: '{count} neu', other: '{count} neu' },
    'tried.gone': { one: '{count} nicht mehr', other: '{count} nicht mehr' },
    'tried.same': { one: '{count} wie bisher', other: '{count} wie bisher' },
    'tried.more': { one: '{count} weitere', other: '{count} weitere' },
    'tried.first': { one: 'Nur die erste ist aufgeführt.', other: 'Nur die ersten {count} sind aufgeführt.' },
    'tried.covered': 'durch eine Ausnahme gedeckt bis {day}',
  },
  vi: {
    'tried.verdict.new': { other: 'Thêm {count} người vi phạm.' },
    'tried.verdict.gone': { other: '{count} người không còn vi phạm.' },
    'tried.nothing': 'Những người vi phạm vẫn như trước.',
    'tried.basis': { other: 'Đã kiểm tra {count} người.' },
    'tried.supposed': 'Chính sách không được áp dụng. Đây là kết quả nếu được áp dụng.',
    'tried.outdated': 'Bạn đã thay đổi chính sách sau đó: hãy thử lại.',
    'tried.new': { other: '{count} mới' },
    'tried.gone': { other: '{count} không còn' },
    'tried.same': { other: '{count} như trước' },
    'tried.more': { other: 'Thêm {count}' },
    'tried.first': { other: 'Chỉ liệt kê {count} người đầu tiên.' },
    'tried.covered': 'được một ngoại lệ cho phép đến {day}',
  },
});
