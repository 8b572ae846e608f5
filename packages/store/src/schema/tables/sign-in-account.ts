import { defineTable } from '../definition/define-table.ts';

/** An identity that has, or had, a credential, a session or failures. The rows below it are deleted with it. */
export const signInAccount = defineTable({
  name: 'sign_in_account',
  columns: {
    tenant: 'text',
    identity_id: 'text',
    /** Argon2id in the PHC form. */
    password_hash: 'text?',
    password_changed: 'text?',
    /** The sign-in link through which the password was set; null for none. */
    password_used_link: 'text?',
    /** Encrypted, see secrets/cipher.ts. */
    totp_secret: 'text?',
    totp_created: 'text?',
    /** The sign-in link through which the app was set up; null for none. */
    totp_used_link: 'text?',
    /** The last 30-second step whose code was used. */
    totp_step: 'bigint',
    /** When the latest two sign-ins began; null for none. */
    last_login_ms: 'bigint?',
    current_login_ms: 'bigint?',
    /** When an administrator ended its lock last; null for never. */
    last_unlocked: 'text?',
  },
  key: 'tenant, identity_id',
  foreignKey: 'foreign key (tenant, identity_id) references identity (tenant, id) on delete cascade',
});
