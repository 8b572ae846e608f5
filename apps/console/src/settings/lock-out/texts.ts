import { definePageTexts } from '@access-admin/languages';

/** The texts about the effect of a change on sign-ins. */
export const LOCK_OUT_TEXTS = definePageTexts({
  en: {
    title: 'What the change would do',
    asking: 'Asking the service',
    concerned: { one: 'It concerns {count} person.', other: 'It concerns {count} people.' },
    'blocked.none': 'Nobody is locked out.',
    blocked: { one: '{count} person could no longer sign in.', other: '{count} people could no longer sign in.' },
    second: {
      one: '{count} person would need a second factor from now on.',
      other: '{count} people would need a second factor from now on.',
    },
    factor: {
      one: '{count} person needs a second factor then and has set up none: a sign-in link lets them do it.',
      other: '{count} people need a second factor then and have set up none: a sign-in link lets them do it.',
    },
    self: 'You are among those who could no longer sign in.',
    refused:
      'The service would refuse it: no administrator could sign in from this address any more, or it changes what verifies you, or somebody with a right that you lack. Ask an administrator with another profile.',
    guard:
      'Nothing was changed, to protect you: after this change no administrator could sign in from your address any more, not even to undo it. Let another administrator sign in from a permitted place first, or exempt the profile of the administrators.',
    from: 'As seen from another place',
    ip: 'Address',
    'ip.hint': 'Empty for your own',
    country: 'Country',
    'country.hint': 'Two letters, such as CH',
    person: 'Person',
    before: 'Now',
    after: 'Afterwards',
    ALLOW: 'May sign in',
    SECOND_FACTOR: 'Second factor',
    BLOCK: 'Blocked',
    more: { one: 'and {count} more', other: 'and {count} more' },
    sample: 'People whose sign-in changes',
  },
  de: {
    title: 'Was die Änderung bewirken würde',
    asking: 'Anfrage läuft',
    concerned: { one: 'Sie betrifft {count} Person.', other: 'Sie betrifft {count} Personen.' },
    'blocked.none': 'Niemand wird ausgesperrt.',
    blocked: {
      one: '{count} Person könnte sich nicht mehr anmelden.',
      other: '{count} Personen könnten sich nicht mehr anmelden.',
    },
    second: {
      one: '{count} Person bräuchte ab jetzt einen zweiten Faktor.',
      other: '{count} Personen bräuchten ab jetzt einen zweiten Faktor.',
    },
    factor: {
      one: '{count} Person braucht dann einen zweiten Faktor und hat keinen eingerichtet: Ein Anmeldelink ermöglicht es.',
      other:
        '{count} Personen brauchen dann einen zweiten Faktor und haben keinen eingerichtet: Ein Anmeldelink ermöglicht es.',
    },
    self: 'Auch Sie selbst könnten sich nicht mehr anmelden.',
    refused:
      'Der Dienst würde sie ablehnen: Von dieser Adresse könnte sich kein Administrator mehr anmelden, oder sie ändert, was Sie prüft, oder jemanden mit einem Recht, das Ihnen fehlt. Bitten Sie einen Administrator mit einem anderen Profil.',
    guard:
      'Zu Ihrem Schutz wurde nichts geändert: Nach dieser Änderung könnte sich von Ihrer Adresse kein Administrator mehr anmelden, auch nicht, um sie zurückzunehmen. Zuerst muss sich ein anderer Administrator von einem erlaubten Ort anmelden, oder Sie nehmen das Profil der Administratoren aus.',
    from: 'Von einem anderen Ort aus gesehen',
    ip: 'Adresse',
    'ip.hint': 'Leer für Ihre eigene',
    country: 'Land',
    'country.hint': 'Zwei Buchstaben, etwa CH',
    person: 'Person',
    before: 'Jetzt',
    after: 'Danach',
    ALLOW: 'Darf sich anmelden',
    SECOND_FACTOR: 'Zweiter Faktor',
    BLOCK: 'Gesperrt',
    more: { one: 'und {count} weitere', other: 'und {count} weitere' },
    sample: 'Personen, deren Anmeldung sich ändert',
  },
  vi: {
    title: 'Thay đổi này sẽ gây ra điều gì',
    asking: 'Đang hỏi dịch vụ',
    concerned: { other: 'Liên quan đến {count} người.' },
    'blocked.none': 'Không ai bị khóa ngoài.',
    blocked: { other: '{count} người sẽ không đăng nhập được nữa.' },
    second: { other: 'Từ nay {count} người sẽ cần yếu tố thứ hai.' },
    factor: {
      other:
        'Khi đó {count} người cần yếu tố thứ hai nhưng chưa thiết lập: liên kết đăng nhập cho phép họ làm việc đó.',
    },
    self: 'Chính bạn cũng sẽ không đăng nhập được nữa.',
    refused:
      'Dịch vụ sẽ từ chối: không còn quản trị viên nào đăng nhập được từ địa chỉ này, hoặc nó đổi cách xác minh chính bạn hay người có quyền mà bạn không có. Hãy nhờ một quản trị viên có hồ sơ khác.',
    guard:
      'Để bảo vệ bạn, không có gì bị thay đổi: sau thay đổi này không còn quản trị viên nào đăng nhập được từ địa chỉ của bạn, kể cả để hoàn tác. Hãy để một quản trị viên khác đăng nhập từ nơi được phép trước, hoặc miễn trừ hồ sơ của các quản trị viên.',
    from: 'Nhìn từ một nơi khác',
    ip: 'Địa chỉ',
    'ip.hint': 'Để trống nếu là của bạn',
    country: 'Quốc gia',
    'country.hint': 'Hai chữ cái, ví dụ CH',
    person: 'Người',
    before: 'Hiện tại',
    after: 'Sau đó',
    ALLOW: 'Được đăng nhập',
    SECOND_FACTOR: 'Yếu tố thứ hai',
    BLOCK: 'Bị chặn',
    more: { other: 'và {count} người nữa' },
    sample: 'Những người có việc đăng nhập thay đổi',
  },
});
