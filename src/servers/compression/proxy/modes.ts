// The settings of a reverse proxy for compression, with the directives of nginx (the modules ngx_http_proxy, _gzip and _gunzip).
// The values are the defaults of nginx 1.22. Those of `ingress` are the defaults of the Kubernetes ingress controller.

/** How the proxy treats content codings. */
export interface ProxySettings {
  /**
   * `proxy_set_header Accept-Encoding`: the value for the upstream. `pass` sends the client's value; an empty text sends no
   * such header.
   */
  readonly acceptEncoding: 'pass' | 'gzip' | ''
  /** `gunzip on`: a gzip body is decoded for clients that do not accept gzip. */
  readonly gunzip: boolean
  /** `gzip on` and its settings. Absent for `gzip off`. */
  readonly gzip?: GzipSettings
  /** `proxy_http_version`: the version of the requests to the upstream. Default: 1.1. */
  readonly upstreamHttp?: '1.0' | '1.1'
}

/** The proxy's own compression. */
export interface GzipSettings {
  /** `gzip_comp_level`: 1 to 9. */
  readonly level: number
  /** `gzip_min_length` in bytes. nginx compares Content-Length with it; an answer without that field is long enough. */
  readonly minLength: number
  /** `gzip_types`: media types to compress besides `text/html`. */
  readonly types: readonly string[]
  /** `gzip_vary on`: adds `Vary: Accept-Encoding`, even when the upstream sent that already. */
  readonly vary: boolean
  /** `gzip_proxied any`: compresses for requests with a Via header too. */
  readonly proxied: boolean
  /** `gzip_http_version`: the oldest version of a client that gets gzip. Default: 1.1. */
  readonly httpVersion?: '1.0' | '1.1'
}

/** Changes of the settings of a mode. Those of gzip have no effect in a mode without gzip. */
export interface ProxyKnobs extends Partial<GzipSettings> {
  readonly upstreamHttp?: '1.0' | '1.1'
}

/** Returns the settings of a mode with changes. */
export function withKnobs(settings: ProxySettings, { upstreamHttp, ...gzip }: ProxyKnobs): ProxySettings {
  return {
    ...settings,
    ...(upstreamHttp !== undefined && { upstreamHttp }),
    ...(settings.gzip && { gzip: { ...settings.gzip, ...gzip } }),
  }
}

/** Names of the modes, the default first. */
export const PROXY_MODES = [
  'default',
  'force',
  'force-gunzip',
  'gunzip',
  'gzip',
  'gzip-strip',
  'gzip-vary',
  'gzip-default-types',
  'ingress',
] as const
export type ProxyMode = (typeof PROXY_MODES)[number]

const gzip: GzipSettings = {
  level: 1,
  minLength: 20,
  types: [
    'text/plain',
    'text/css',
    'text/xml',
    'application/json',
    'application/javascript',
    'image/svg+xml',
  ],
  vary: false,
  proxied: false,
}

/** The settings of the ingress controller with `use-gzip: "true"`. */
const ingressGzip: GzipSettings = {
  level: 1,
  minLength: 256,
  types: [
    ...['application/atom+xml', 'application/javascript', 'application/x-javascript', 'application/json'],
    ...['application/rss+xml', 'application/vnd.ms-fontobject', 'application/x-font-ttf'],
    ...['application/x-web-app-manifest+json', 'application/xhtml+xml', 'application/xml', 'font/opentype'],
    ...['image/svg+xml', 'image/x-icon', 'text/css', 'text/javascript', 'text/plain', 'text/x-component'],
  ],
  vary: true,
  proxied: true,
}

const passing: ProxySettings = { acceptEncoding: 'pass', gunzip: false }

/** The settings of each mode. */
export const MODE_SETTINGS: Readonly<Record<ProxyMode, ProxySettings>> = {
  default: passing,
  force: { ...passing, acceptEncoding: 'gzip' },
  'force-gunzip': { acceptEncoding: 'gzip', gunzip: true },
  gunzip: { ...passing, gunzip: true },
  gzip: { ...passing, gzip },
  'gzip-strip': { ...passing, acceptEncoding: '', gzip },
  'gzip-vary': { ...passing, gzip: { ...gzip, vary: true } },
  'gzip-default-types': { ...passing, gzip: { ...gzip, types: [] } },
  ingress: { ...passing, gzip: ingressGzip },
}

/** The effect of each mode, in one line. */
export const MODE_MEANINGS: Readonly<Record<ProxyMode, string>> = {
  default: 'passes requests and answers through as they are',
  force: 'asks the upstream for gzip, whatever the client said',
  'force-gunzip': 'asks the upstream for gzip, and decodes for clients that do not take it',
  gunzip: 'decodes gzip for clients that do not take it',
  gzip: 'compresses what comes raw; an upstream that compresses wins',
  'gzip-strip': 'keeps Accept-Encoding from the upstream, and compresses itself',
  'gzip-vary': 'compresses what comes raw, and adds Vary even where the upstream sent it',
  'gzip-default-types': 'compresses text/html alone, as gzip on; without gzip_types',
  ingress: 'an ingress controller with use-gzip: "true"',
}

/** The mode of a running proxy. */
interface ModeSwitch {
  readonly mode: ProxyMode
  /** Returns the settings of the current mode. The proxy reads them at every request. */
  settings(): ProxySettings
  /** Changes the mode from the next request on. */
  setMode(mode: ProxyMode): void
}

/** Makes the switch of a proxy that starts in the mode `first`. The changes `knobs` stay in every mode. */
export function createModeSwitch(first: ProxyMode, knobs: ProxyKnobs = {}): ModeSwitch {
  let mode = first
  return {
    get mode() {
      return mode
    },
    settings: () => withKnobs(MODE_SETTINGS[mode], knobs),
    setMode(next) {
      mode = next
    },
  }
}

/** The addresses for an nginx that does the same as the proxy. */
export interface NginxPlace {
  readonly port: number
  /** Base URL, no trailing slash. */
  readonly upstream: string
  /** Absolute path of the CA certificate that signed the certificate of the upstream. */
  readonly caFile?: string
}

function gzipLines({ level, minLength, types, vary, proxied, httpVersion = '1.1' }: GzipSettings): string[] {
  const lines = [
    'gzip on;',
    `gzip_comp_level ${level};`,
    `gzip_min_length ${minLength};`,
    ...(types.length === 0 ? [] : [`gzip_types ${types.join(' ')};`]),
    `gzip_http_version ${httpVersion};`,
  ]
  if (vary) lines.push('gzip_vary on;')
  if (proxied) lines.push('gzip_proxied any;')
  return lines
}

/** Quotes a value of a directive where nginx needs quotes. */
const word = (text: string): string => (/^[\w/.:@%+=,~-]+$/.test(text) ? text : JSON.stringify(text))

/** Returns an nginx configuration with the same effect as `settings`. */
export function nginxConf(settings: ProxySettings, { port, upstream, caFile }: NginxPlace): string {
  const { acceptEncoding, gunzip, gzip, upstreamHttp = '1.1' } = settings
  const lines: string[] = [`proxy_http_version ${upstreamHttp};`]
  if (acceptEncoding !== 'pass') lines.push(`proxy_set_header Accept-Encoding "${acceptEncoding}";`)
  if (upstream.startsWith('https:') && caFile !== undefined) {
    lines.push(
      `proxy_ssl_trusted_certificate ${word(caFile)};`,
      'proxy_ssl_verify on;',
      `proxy_ssl_name ${new URL(upstream).hostname};`,
      'proxy_ssl_server_name on;',
    )
  }
  if (gunzip) lines.push('gunzip on;')
  if (gzip) lines.push(...gzipLines(gzip))
  lines.push(`proxy_pass ${upstream};`)
  return [
    'events {}',
    'http {',
    '  server {',
    `    listen 127.0.0.1:${port};`,
    '    location / {',
    ...lines.map(line => `      ${line}`),
    '    }',
    '  }',
    '}',
    '',
  ].join('\n')
}
