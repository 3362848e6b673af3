import { isJsonObject } from '../../../protocol/values.js'

/** A setting of a zone, as it is at the start. */
export interface ZoneSetting {
  readonly id: string
  readonly value: unknown
  /** True when the plan lets a client change the setting. */
  readonly editable: boolean
  /** True for a value that the service accepts. */
  readonly accepts: (value: unknown) => boolean
}

type Accepts = ZoneSetting['accepts']

const oneOf =
  (...values: readonly unknown[]): Accepts =>
  value =>
    values.includes(value)

const onOff = oneOf('on', 'off')

const editable = (id: string, value: unknown, accepts: Accepts = onOff): ZoneSetting => ({
  id,
  value,
  accepts,
  editable: true,
})
const fixed = (id: string, value: unknown): ZoneSetting => ({ id, value, editable: false, accepts: onOff })

const HOUR = 3600
const DAY = 24 * HOUR

/** Seconds that `browser_cache_ttl` may be; 0 respects the headers of the origin. */
const CACHE_TTLS = [
  ...[0, 30, 60, 120, 300, 1200, 1800],
  ...[1, 2, 3, 4, 5, 8, 12, 16, 20].map(hours => hours * HOUR),
  ...[1, 2, 3, 4, 5, 8, 16, 24, 31, 62, 186, 365].map(days => days * DAY),
]

/** Seconds that `challenge_ttl` may be. */
const CHALLENGE_TTLS = [
  ...[300, 900, 1800, 2700],
  ...[1, 2, 3, 4, 8, 16].map(hours => hours * HOUR),
  ...[1, 7, 30, 365].map(days => days * DAY),
]

const HSTS = { enabled: false, max_age: 0, include_subdomains: false, preload: false, nosniff: false }

/** True for the members of HSTS, some of which may be absent. */
function isHsts(value: unknown): boolean {
  if (!isJsonObject(value) || !isJsonObject(value.strict_transport_security)) return false
  return Object.entries(value.strict_transport_security).every(([name, each]) =>
    name === 'max_age'
      ? Number.isSafeInteger(each) && (each as number) >= 0
      : Object.hasOwn(HSTS, name) && typeof each === 'boolean',
  )
}

/** Names of cipher suites, 50 at most. */
const isCiphers: Accepts = value =>
  Array.isArray(value) &&
  value.length <= 50 &&
  value.every(each => typeof each === 'string' && /^[\w-]{1,64}$/.test(each))

/** The settings of a new zone, in the order of their names. */
export const ZONE_SETTINGS: readonly ZoneSetting[] = [
  editable('0rtt', 'off'),
  fixed('advanced_ddos', 'on'),
  editable('always_online', 'off'),
  editable('always_use_https', 'off'),
  editable('automatic_https_rewrites', 'on'),
  editable('brotli', 'on'),
  editable('browser_cache_ttl', 14_400, oneOf(...CACHE_TTLS)),
  editable('browser_check', 'on'),
  editable('cache_level', 'aggressive', oneOf('aggressive', 'basic', 'simplified')),
  editable('challenge_ttl', 1800, oneOf(...CHALLENGE_TTLS)),
  editable('ciphers', [], isCiphers),
  editable('cname_flattening', 'flatten_at_root', oneOf('flatten_at_root', 'flatten_all')),
  editable('development_mode', 'off'),
  editable('early_hints', 'off'),
  editable('email_obfuscation', 'on'),
  editable('hotlink_protection', 'off'),
  editable('http2', 'on'),
  editable('http3', 'on'),
  fixed('image_resizing', 'off'),
  editable('ip_geolocation', 'on'),
  editable('ipv6', 'on'),
  fixed('max_upload', 100),
  editable('min_tls_version', '1.0', oneOf('1.0', '1.1', '1.2', '1.3')),
  fixed('mirage', 'off'),
  editable('opportunistic_encryption', 'on'),
  editable('opportunistic_onion', 'on'),
  fixed('origin_error_page_pass_thru', 'off'),
  fixed('polish', 'off'),
  fixed('prefetch_preload', 'off'),
  editable('privacy_pass', 'on'),
  editable('pseudo_ipv4', 'off', oneOf('off', 'add_header', 'overwrite_header')),
  fixed('response_buffering', 'off'),
  editable('rocket_loader', 'off'),
  editable('security_header', { strict_transport_security: HSTS }, isHsts),
  editable(
    'security_level',
    'medium',
    oneOf('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
  ),
  editable('server_side_exclude', 'on'),
  fixed('sort_query_string_for_cache', 'off'),
  editable('ssl', 'full', oneOf('off', 'flexible', 'full', 'strict')),
  editable('tls_1_2_only', 'off'),
  editable('tls_1_3', 'on', oneOf('on', 'off', 'zrt')),
  editable('tls_client_auth', 'off'),
  fixed('true_client_ip_header', 'off'),
  fixed('waf', 'off'),
  fixed('webp', 'off'),
  editable('websockets', 'on'),
]

/** The DNSSEC status of a zone without DNSSEC. */
export const NO_DNSSEC = {
  status: 'disabled',
  flags: null,
  algorithm: null,
  key_type: null,
  digest_type: null,
  digest_algorithm: null,
  digest: null,
  ds: null,
  key_tag: null,
  public_key: null,
  modified_on: null,
}

/** The DNS settings of a zone. The SOA record has the times that the service gives it. */
export function dnsSettings(nameServer: string, zone: string): object {
  return {
    flatten_all_cnames: false,
    foundation_dns: false,
    multi_provider: false,
    secondary_overrides: false,
    nameservers: { type: 'cloudflare.standard' },
    ns_ttl: 86_400,
    zone_mode: 'standard',
    soa: {
      mname: nameServer,
      rname: `dns.${zone}`,
      refresh: 10_000,
      retry: 2400,
      expire: 604_800,
      min_ttl: 1800,
      ttl: 3600,
    },
  }
}
