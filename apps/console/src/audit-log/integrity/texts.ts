import { definePageTexts } from '@access-admin/languages';

/** The texts of the verification of the log. */
export const INTEGRITY_TEXTS = definePageTexts({
  en: {
    integrity: 'Verify that the log is as it was recorded',
    'integrity.about':
      'Each entry carries the hash of the one before it. This browser reads all entries, computes their hashes and compares them, and the end of the log with the one that the service has signed.',
    verify: 'Verify the log',
    'verify.failed': 'The audit log could not be verified',
    'verify.stop': 'Stop',
    'verify.running': '{count} of {total} verified',
    'verify.stopped': { one: 'Stopped after {count} entry.', other: 'Stopped after {count} entries.' },
    'verify.good': {
      one: 'The log is intact: its only entry is as it was recorded.',
      other: 'The log is intact: all {count} entries are as they were recorded, up to the signed end.',
    },
    'verify.erased': {
      one: 'From {count} of them a person was erased: its texts are replaced, as a later entry attests.',
      other: 'From {count} of them persons were erased: their texts are replaced, as later entries attest.',
    },
    'verify.head': 'The signed end is not valid: {reason}',
    kept: 'Signed end that you have kept (optional)',
    'kept.wrong': 'This file contains no signed end.',
    'kept.save': 'Save the signed end',
    'fault.before': {
      one: 'The log is intact up to entry {count}.',
      other: 'The log is intact up to entry {count}.',
    },
    'fault.show': 'Show entry {count}',
    'fault.another tenant': 'Entry {count} belongs to another tenant.',
    'fault.missing': 'Entry {count} is missing or out of place.',
    'fault.unlinked': 'Entry {count} does not continue the entry before it, which was changed or replaced.',
    'fault.changed': 'Entry {count} was changed: its hash does not match its content.',
    'fault.unattested':
      'Entry {count} was changed: a person is said to be erased from it, which no later entry attests.',
    'fault.another head': 'Entry {count} is not the one that the signed end names: the log was rewritten.',
    'fault.cut off': 'Entry {count} is missing: the log was cut off before its signed end.',
    'fault.archived':
      'Entry {count}, which the kept end names, was archived and removed: only the archive can be compared with it.',
  },
  de: {
    integrity: 'Prüfen, ob das Protokoll unverändert ist',
    'integrity.about':
      'Jeder Eintrag trägt den Hash des vorherigen. Dieser Browser liest alle Einträge, berechnet ihre Hashes und vergleicht sie, und das Ende des Protokolls mit dem, das der Dienst signiert hat.',
    verify: 'Protokoll prüfen',
    'verify.failed': 'Das Protokoll konnte nicht geprüft werden',
    'verify.stop': 'Anhalten',
    'verify.running': '{count} von {total} geprüft',
    'verify.stopped': { one: 'Nach {count} Eintrag angehalten.', other: 'Nach {count} Einträgen angehalten.' },
    'verify.good': {
      one: 'Das Protokoll ist unversehrt: Sein einziger Eintrag ist, wie er aufgezeichnet wurde.',
      other:
        'Das Protokoll ist unversehrt: Alle {count} Einträge sind, wie sie aufgezeichnet wurden, bis zum signierten Ende.',
    },
    'verify.erased': {
      one: 'Aus {count} davon wurde eine Person gelöscht: Ihre Texte sind ersetzt, wie ein späterer Eintrag bezeugt.',
      other: 'Aus {count} davon wurden Personen gelöscht: Ihre Texte sind ersetzt, wie spätere Einträge bezeugen.',
    },
    'verify.head': 'Das signierte Ende ist nicht gültig: {reason}',
    kept: 'Signiertes Ende, das Sie aufbewahrt haben (optional)',
    'kept.wrong': 'Diese Datei enthält kein signiertes Ende.',
    'kept.save': 'Signiertes Ende speichern',
    'fault.before': {
      one: 'Bis Eintrag {count} ist das Protokoll unversehrt.',
      other: 'Bis Eintrag {count} ist das Protokoll unversehrt.',
    },
    'fault.show': 'Eintrag {count} anzeigen',
    'fault.another tenant': 'Eintrag {count} gehört zu einem anderen Mandanten.',
    'fault.missing': 'Eintrag {count} fehlt oder steht an anderer Stelle.',
    'fault.unlinked': 'Eintrag {count} setzt den vorherigen nicht fort: Dieser wurde geändert oder ersetzt.',
    'fault.changed': 'Eintrag {count} wurde geändert: Sein Hash passt nicht zu seinem Inhalt.',
    'fault.unattested':
      'Eintrag {count} wurde geändert: Eine Person soll daraus gelöscht sein, was kein späterer Eintrag bezeugt.',
    'fault.another head':
      'Eintrag {count} ist nicht der, den das signierte Ende nennt: Das Protokoll wurde neu geschrieben.',
    'fault.cut off': 'Eintrag {count} fehlt: Das Protokoll wurde vor seinem signierten Ende abgeschnitten.',
    'fault.archived':
      'Eintrag {count}, den das aufbewahrte Ende nennt, wurde archiviert und entfernt: Nur das Archiv lässt sich damit vergleichen.',
  },
  vi: {
    integrity: 'Kiểm tra nhật ký có đúng như đã ghi hay không',
    'integrity.about':
      'Mỗi mục mang mã băm của mục trước đó. Trình duyệt này đọc tất cả các mục, tính mã băm và so sánh chúng, cũng như so sánh phần cuối nhật ký với phần cuối mà dịch vụ đã ký.',
    verify: 'Kiểm tra nhật ký',
    'verify.failed': 'Không thể kiểm tra nhật ký',
    'verify.stop': 'Dừng',
    'verify.running': 'Đã kiểm tra {count} trên {total}',
    'verify.stopped': { other: 'Đã dừng sau {count} mục.' },
    'verify.good': { other: 'Nhật ký toàn vẹn: cả {count} mục đều đúng như đã ghi, cho đến phần cuối đã ký.' },
    'verify.erased': {
      other:
        'Trong đó có {count} mục đã được xóa thông tin cá nhân: văn bản đã được thay thế, như các mục sau xác nhận.',
    },
    'verify.head': 'Phần cuối đã ký không hợp lệ: {reason}',
    kept: 'Phần cuối đã ký mà bạn đã lưu (không bắt buộc)',
    'kept.wrong': 'Tệp này không chứa phần cuối đã ký.',
    'kept.save': 'Lưu phần cuối đã ký',
    'fault.before': { other: 'Nhật ký toàn vẹn cho đến mục {count}.' },
    'fault.show': 'Hiển thị mục {count}',
    'fault.another tenant': 'Mục {count} thuộc về một đơn vị khác.',
    'fault.missing': 'Mục {count} bị thiếu hoặc nằm ở chỗ khác.',
    'fault.unlinked': 'Mục {count} không nối tiếp mục trước đó: mục đó đã bị sửa hoặc thay thế.',
    'fault.changed': 'Mục {count} đã bị sửa: mã băm không phải của nội dung.',
    'fault.unattested':
      'Mục {count} đã bị sửa: mục này nói rằng một người đã được xóa khỏi đó, nhưng không mục nào sau đó xác nhận điều này.',
    'fault.another head': 'Mục {count} không phải là mục mà phần cuối đã ký nêu tên: nhật ký đã bị viết lại.',
    'fault.cut off': 'Mục {count} bị thiếu: nhật ký đã bị cắt trước phần cuối đã ký.',
    'fault.archived':
      'Mục {count}, được phần cuối đã lưu nêu tên, đã được đưa vào kho lưu trữ và xóa khỏi nhật ký: chỉ có thể so sánh kho lưu trữ với phần cuối đó.',
  },
});
