import { definePageTexts } from '@access-admin/languages';

/** The texts of the pages of sign-in and of links. */
export const SIGN_IN_TEXTS = definePageTexts({
  en: {
    'with-passkey': 'Sign in with a passkey',
    'with-application': 'Sign in with {name}',
    'signed-out': 'You are signed out.',
    failed:
      'You could not be signed in. Check what you typed. If it is right, wait some minutes or ask your administrator.',
    'attempts.many': 'There were too many attempts to sign in. Wait a minute.',
    'no-second-factor.title': 'A second factor is needed',
    'no-second-factor.text':
      'You sign in with a second factor, and none is set up yet. Ask your administrator for a link to set one up.',
    'confirm.title': 'Confirm your sign-in',
    'confirm.framed':
      'Your second factor is a passkey, which cannot be used in a frame. Open this service in a window of its own.',
    'confirm.again': 'Begin again',
    'enrolment.title': 'Set up a second factor',
    'enrolment.text': 'You sign in with a second factor beside your password. Set one up now.',
    'link.title': 'Set up your sign-in',
    'link.text': 'This link is for {name} (username {username}). It works once.',
    'link.set-password': 'Set password',
    'link.set-up-app': 'Set up an authenticator app',
    'link.nothing': 'You sign in with another service of your organisation. There is nothing to set up here.',
    'link.gone.title': 'This link no longer works',
    'link.gone':
      'It has been used or has expired: each works once, for at most a day. If you have set a password or a passkey with it, sign in. Otherwise ask your administrator for another link.',
    'link.blocked.title': 'You cannot sign in at the moment',
    'link.blocked.text': 'Wait some minutes, or ask your administrator. The link can still be used until it expires.',
    'application.unknown': 'There is no such way to sign in.',
    'application.framed.title': 'Sign in outside of this frame',
    'application.framed.text':
      'This way to sign in cannot be used in a frame. Open this service in a window of its own.',
    'application.away.title': 'Sign-in is not available',
    'application.away.text': 'The service {name} does not answer. Wait a few seconds, then try again.',
  },
  de: {
    'with-passkey': 'Mit einem Passkey anmelden',
    'with-application': 'Mit {name} anmelden',
    'signed-out': 'Sie sind abgemeldet.',
    failed:
      'Sie konnten nicht angemeldet werden. Prüfen Sie Ihre Eingaben. Sind sie richtig, warten Sie einige Minuten, oder fragen Sie Ihren Administrator.',
    'attempts.many': 'Es gab zu viele Versuche, sich anzumelden. Warten Sie eine Minute.',
    'no-second-factor.title': 'Ein zweiter Faktor ist nötig',
    'no-second-factor.text':
      'Sie melden sich mit einem zweiten Faktor an, und noch ist keiner eingerichtet. Bitten Sie Ihren Administrator um einen Link dafür.',
    'confirm.title': 'Anmeldung bestätigen',
    'confirm.framed':
      'Ihr zweiter Faktor ist ein Passkey, der in einem Frame nicht verwendet werden kann. Öffnen Sie diesen Dienst in einem eigenen Fenster.',
    'confirm.again': 'Noch einmal beginnen',
    'enrolment.title': 'Zweiten Faktor einrichten',
    'enrolment.text': 'Sie melden sich mit einem zweiten Faktor neben Ihrem Passwort an. Richten Sie ihn jetzt ein.',
    'link.title': 'Anmeldung einrichten',
    'link.text': 'Dieser Link ist für {name} (Benutzername {username}). Er gilt einmal.',
    'link.set-password': 'Passwort setzen',
    'link.set-up-app': 'Authenticator-App einrichten',
    'link.nothing': 'Sie melden sich mit einem anderen Dienst Ihrer Organisation an. Hier ist nichts einzurichten.',
    'link.gone.title': 'Dieser Link gilt nicht mehr',
    'link.gone':
      'Er wurde verwendet oder ist abgelaufen: Jeder gilt einmal und höchstens einen Tag. Haben Sie damit ein Passwort oder einen Passkey gesetzt, melden Sie sich an. Sonst bitten Sie Ihren Administrator um einen neuen Link.',
    'link.blocked.title': 'Sie können sich zurzeit nicht anmelden',
    'link.blocked.text':
      'Warten Sie einige Minuten, oder fragen Sie Ihren Administrator. Der Link gilt weiter, bis er abläuft.',
    'application.unknown': 'So kann man sich hier nicht anmelden.',
    'application.framed.title': 'Außerhalb dieses Frames anmelden',
    'application.framed.text':
      'So können Sie sich in einem Frame nicht anmelden. Öffnen Sie diesen Dienst in einem eigenen Fenster.',
    'application.away.title': 'Die Anmeldung ist nicht verfügbar',
    'application.away.text':
      'Der Dienst {name} antwortet nicht. Warten Sie einige Sekunden, und versuchen Sie es erneut.',
  },
  vi: {
    'with-passkey': 'Đăng nhập bằng khóa truy cập',
    'with-application': 'Đăng nhập bằng {name}',
    'signed-out': 'Bạn đã đăng xuất.',
    failed:
      'Không thể đăng nhập. Hãy kiểm tra những gì bạn đã nhập. Nếu đúng, hãy chờ vài phút hoặc hỏi quản trị viên.',
    'attempts.many': 'Có quá nhiều lần thử đăng nhập. Hãy chờ một phút.',
    'no-second-factor.title': 'Cần có yếu tố thứ hai',
    'no-second-factor.text':
      'Bạn đăng nhập bằng yếu tố thứ hai nhưng chưa thiết lập yếu tố nào. Hãy đề nghị quản trị viên gửi liên kết để thiết lập.',
    'confirm.title': 'Xác nhận đăng nhập',
    'confirm.framed':
      'Yếu tố thứ hai của bạn là khóa truy cập, không dùng được trong khung. Hãy mở dịch vụ này trong cửa sổ riêng.',
    'confirm.again': 'Bắt đầu lại',
    'enrolment.title': 'Thiết lập yếu tố thứ hai',
    'enrolment.text': 'Ngoài mật khẩu, bạn đăng nhập bằng yếu tố thứ hai. Hãy thiết lập ngay.',
    'link.title': 'Thiết lập đăng nhập',
    'link.text': 'Liên kết này dành cho {name} (tên người dùng {username}). Chỉ dùng được một lần.',
    'link.set-password': 'Đặt mật khẩu',
    'link.set-up-app': 'Thiết lập ứng dụng xác thực',
    'link.nothing': 'Bạn đăng nhập bằng một dịch vụ khác của tổ chức. Không có gì cần thiết lập ở đây.',
    'link.gone.title': 'Liên kết này không còn hiệu lực',
    'link.gone':
      'Liên kết đã được dùng hoặc đã hết hạn: mỗi liên kết chỉ dùng một lần, tối đa một ngày. Nếu bạn đã dùng nó để đặt mật khẩu hoặc khóa truy cập, hãy đăng nhập. Nếu chưa, hãy xin quản trị viên một liên kết khác.',
    'link.blocked.title': 'Hiện bạn không thể đăng nhập',
    'link.blocked.text': 'Hãy chờ vài phút hoặc hỏi quản trị viên. Liên kết vẫn dùng được cho đến khi hết hạn.',
    'application.unknown': 'Không có cách đăng nhập này.',
    'application.framed.title': 'Hãy đăng nhập bên ngoài khung này',
    'application.framed.text': 'Cách đăng nhập này không dùng được trong khung. Hãy mở dịch vụ này trong cửa sổ riêng.',
    'application.away.title': 'Không thể đăng nhập lúc này',
    'application.away.text': 'Dịch vụ {name} không phản hồi. Hãy chờ vài giây rồi thử lại.',
  },
});
