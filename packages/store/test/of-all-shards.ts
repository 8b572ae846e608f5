interface Exception {
  readonly statement: RegExp;
  readonly reason: string;
}

/** Reads of all shards by workers, by timers and for metrics. No request of a tenant waits for them, and no write contains one. */
export const OF_ALL_SHARDS: readonly Exception[] = [
  {
    statement: /^select count\(\*\) as depth, min\(created\) as oldest from sod_check where state = ''/,
    reason: 'metrics look for checks that wait, of every tenant',
  },
  {
    statement:
      /^select (count\(\*\) as depth, min\(created\) as oldest|tenant, report_id as reportid, state) from sod_report where completed /,
    reason: 'workers and metrics look for reports that wait or have ended, of every tenant',
  },
  {
    statement: /^select tenant, load_id as loadid, state from source_load where due_ms <= /,
    reason: 'a worker looks for loads whose time is over, of every tenant',
  },
  {
    statement: /^select tenant from sod_reservation where due <= /,
    reason: 'a worker looks for reservations whose time is over, of every tenant',
  },
  {
    statement:
      /^select waiting\.tenant, (case when exists \(.*|0) as has_alone from (tenant|tenant_removal|register_head|audit_stream|identity_erasure) as waiting where exists /,
    reason: 'a worker looks for tenants with work to claim, once a second',
  },
  {
    statement: /^select count\(distinct tenant\) as depth, .* from \( select tenant, register_behind_since /,
    reason: 'metrics look for registers with something to do',
  },
  {
    statement: /^select sum\(corrected\) as corrected from register_head$/,
    reason: 'metrics look at the registers of all tenants',
  },
  {
    statement: /^select event_head\.tenant from event_head where exists \( select 1 from sod_check /,
    reason: 'checks are removed after their time, of every tenant',
  },
  {
    statement: /^select event_head\.tenant, .* from event_head inner join event on /,
    reason: 'events are removed after their time, of every tenant',
  },
  {
    statement: /^select audit_head\.tenant(, .* from audit_head join audit_event on | from audit_head where exists )/,
    reason: 'audit events are archived and removed after their time, of every tenant',
  },
  {
    statement:
      /^select (sum\(event_head\.sequence - cursor_at\) as depth, .*|count\(\*\) as depth, min\(created\) as oldest from webhook_delivery) /,
    reason: 'workers and metrics look for webhooks with something to deliver',
  },
  {
    statement:
      /^select (delivery\.tenant, .* from webhook join webhook_delivery|tenant, id from webhook where is_deleted = 1)/,
    reason: 'deliveries are removed after their time or with their webhook, of every tenant',
  },
  {
    statement:
      /^select tenant, (id, secret, previous_secret from webhook|identity_id, totp_secret from sign_in_account) where /,
    reason: 'a start with another key of secrets encrypts those of every tenant with it',
  },
  {
    statement:
      /^select tenant, (hash|kind, subject|id) from (sign_in_link|pending_sign_in|session|sign_in_failure|mail) where /,
    reason: 'what has ended by itself is removed, of every tenant',
  },
  {
    statement: /^select (tenant\.tenant, .* from tenant left join tenant_removal|count\(\*\) as count from tenant$)/,
    reason: 'whoever may remove tenants lists them',
  },
  {
    statement: /^select id, tenant from oauth_client where \(tenant, id\) > /,
    reason: 'a start looks for clients whose ids are not reserved',
  },
];
