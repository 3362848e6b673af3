/** A setting of a zone: its value, and whether the plan may change it. */
interface ZoneSetting {
  readonly id: string
  readonly value: unknown
  readonly editable: boolean
}

const editable = (id: string, value: unknown): ZoneSetting => ({ id, value, editable: true })
const fixed = (id: string, value: unknown): ZoneSetting => ({ id, value, editable: false })

const HSTS = { enabled: false, max_age: 0, include_subdomains: false, preload: false, nosniff: false }

/** The settings of a new zone, in the order of their names. */
export const ZONE_SETTINGS: readonly ZoneSetting[] = [
  editable('0rtt', 'off'),
  fixed('advanced_ddos', 'on'),
  editable('always_online', 'off'),
  editable('always_use_https', 'off'),
  editable('automatic_https_rewrites', 'on'),
  editable('brotli', 'on'),
  editable('browser_cache_ttl', 14_400),
  editable('browser_check', 'on'),
  editable('cache_level', 'aggressive'),
  editable('challenge_ttl', 1800),
  editable('ciphers', []),
  editable('cname_flattening', 'flatten_at_root'),
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
  editable('min_tls_version', '1.0'),
  fixed('mirage', 'off'),
  editable('opportunistic_encryption', 'on'),
  editable('opportunistic_onion', 'on'),
  fixed('origin_error_page_pass_thru', 'off'),
  fixed('polish', 'off'),
  fixed('prefetch_preload', 'off'),
  editable('privacy_pass', 'on'),
  editable('pseudo_ipv4', 'off'),
  fixed('response_buffering', 'off'),
  editable('rocket_loader', 'off'),
  editable('security_header', { strict_transport_security: HSTS }),
  editable('security_level', 'medium'),
  editable('server_side_exclude', 'on'),
  fixed('sort_query_string_for_cache', 'off'),
  editable('ssl', 'full'),
  editable('tls_1_2_only', 'off'),
  editable('tls_1_3', 'on'),
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
