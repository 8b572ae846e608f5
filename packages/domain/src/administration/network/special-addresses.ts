/** A range of addresses to which no webhook is sent, unless the operator lists the target. */
export interface SpecialRange {
  /** The first address and the length of the prefix in bits. */
  readonly range: string;
  readonly what: string;
}

/**
 * The IANA special-purpose registry of IPv4, the ranges for multicast and future use, and addresses at which clouds serve
 * metadata. Ranges that are reachable but have another purpose than hosts, such as AS112, are refused too.
 */
export const SPECIAL_IPV4: readonly SpecialRange[] = [
  { range: '0.0.0.0/8', what: 'this network or unspecified' },
  { range: '10.0.0.0/8', what: 'private' },
  { range: '100.64.0.0/10', what: 'shared by carriers (CGNAT)' },
  { range: '127.0.0.0/8', what: 'loopback' },
  { range: '168.63.129.16/32', what: 'cloud metadata' },
  { range: '169.254.0.0/16', what: 'link-local, cloud metadata' },
  { range: '172.16.0.0/12', what: 'private' },
  { range: '192.0.0.0/24', what: 'for protocols of the IETF, cloud metadata' },
  { range: '192.0.2.0/24', what: 'for documentation' },
  { range: '192.31.196.0/24', what: 'AS112' },
  { range: '192.52.193.0/24', what: 'multicast tunnels (AMT)' },
  { range: '192.88.99.0/24', what: '6to4 relays' },
  { range: '192.168.0.0/16', what: 'private' },
  { range: '192.175.48.0/24', what: 'AS112' },
  { range: '198.18.0.0/15', what: 'for benchmarks' },
  { range: '198.51.100.0/24', what: 'for documentation' },
  { range: '203.0.113.0/24', what: 'for documentation' },
  { range: '224.0.0.0/4', what: 'multicast' },
  { range: '240.0.0.0/4', what: 'reserved or broadcast' },
];

/** The IANA special-purpose registry of IPv6, and earlier forms that contain an IPv4 address. */
export const SPECIAL_IPV6: readonly SpecialRange[] = [
  { range: '::/128', what: 'unspecified' },
  { range: '::1/128', what: 'loopback' },
  { range: '::/96', what: 'IPv4-compatible' },
  { range: '::ffff:0:0/96', what: 'IPv4-mapped' },
  { range: '::ffff:0:0:0/96', what: 'IPv4-translated' },
  { range: '64:ff9b::/96', what: 'NAT64' },
  { range: '64:ff9b:1::/48', what: 'NAT64' },
  { range: '100::/64', what: 'discarded' },
  { range: '100:0:0:1::/64', what: 'for dummy interfaces' },
  { range: '2001::/32', what: 'Teredo' },
  { range: '2001::/23', what: 'for protocols of the IETF' },
  { range: '2001:db8::/32', what: 'for documentation' },
  { range: '2002::/16', what: '6to4' },
  { range: '2620:4f:8000::/48', what: 'AS112' },
  { range: '3ffe::/16', what: 'the former 6bone' },
  { range: '3fff::/20', what: 'for documentation' },
  { range: '5f00::/16', what: 'segment routing' },
  { range: 'fc00::/7', what: 'unique local' },
  { range: 'fe80::/10', what: 'link-local' },
  { range: 'fec0::/10', what: 'site-local' },
  { range: 'ff00::/8', what: 'multicast' },
];
