import { definePageTexts } from '@access-admin/languages';

/** The texts of this page. */
export const SOURCES_TEXTS = definePageTexts({
  en: {
    about: 'The systems that accounts come from. Access of all accounts of a person counts together.',
    count: { one: '{count} source', other: '{count} sources' },
    new: 'New source',
    create: 'Create the source',
    empty: 'There are no sources yet.',
    'empty.text':
      'Create one for each system that people have accounts in, such as a directory, an ERP or the personnel system.',
    name: 'Name',
    accounts: 'Accounts',
    none: 'Not linked',
    ambiguous: 'Ambiguous',
    authoritative: 'Authoritative',
  },
  de: {
    about: 'Die Systeme, aus denen Konten kommen. Der Zugriff aller Konten einer Person zählt zusammen.',
    count: { one: '{count} Quelle', other: '{count} Quellen' },
    new: 'Neue Quelle',
    create: 'Quelle anlegen',
    empty: 'Noch gibt es keine Quellen.',
    'empty.text':
      'Legen Sie für jedes System, in dem Personen Konten haben, eine an, etwa ein Verzeichnis, ein ERP oder das Personalsystem.',
    name: 'Name',
    accounts: 'Konten',
    none: 'Nicht verknüpft',
    ambiguous: 'Mehrdeutig',
    authoritative: 'Maßgeblich',
  },
  vi: {
    about: 'Các hệ thống mà tài khoản đến từ đó. Quyền của mọi tài khoản của một người được tính chung.',
    count: { other: '{count} nguồn' },
    new: 'Nguồn mới',
    create: 'Tạo nguồn',
    empty: 'Chưa có nguồn nào.',
    'empty.text':
      'Hãy tạo một nguồn cho mỗi hệ thống có tài khoản của nhân sự, ví dụ thư mục, ERP hoặc hệ thống nhân sự.',
    name: 'Tên',
    accounts: 'Tài khoản',
    none: 'Chưa liên kết',
    ambiguous: 'Không rõ',
    authoritative: 'Nguồn gốc chính',
  },
});
