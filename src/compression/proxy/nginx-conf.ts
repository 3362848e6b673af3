import type { GzipSettings, ProxySettings } from './modes.js'

/** The addresses of the equal nginx: its port and its upstream. */
export interface NginxPlace {
  readonly port: number
  /** Base URL, no trailing slash. */
  readonly upstream: string
  /** Absolute path of the CA that vouches for the upstream. */
  readonly caFile?: string
}

function gzipLines({ level, minLength, types, vary, proxied }: GzipSettings): string[] {
  return [
    'gzip on;',
    `gzip_comp_level ${level};`,
    `gzip_min_length ${minLength};`,
    `gzip_types ${types.join(' ')};`,
    'gzip_http_version 1.1;',
    ...(vary ? ['gzip_vary on;'] : []),
    ...(proxied ? ['gzip_proxied any;'] : []),
  ]
}

/** A word as nginx reads it back. */
const word = (text: string): string => (/^[\w/.:@%+=,~-]+$/.test(text) ? text : JSON.stringify(text))

/** An nginx configuration that does what these settings do. */
export function nginxConf(settings: ProxySettings, { port, upstream, caFile }: NginxPlace): string {
  const { acceptEncoding, gunzip, gzip } = settings
  const trust = upstream.startsWith('https:') && caFile !== undefined
  const lines = [
    ...(acceptEncoding === 'pass' ? [] : [`proxy_set_header Accept-Encoding "${acceptEncoding}";`]),
    ...(trust ? [`proxy_ssl_trusted_certificate ${word(caFile)};`, 'proxy_ssl_verify on;'] : []),
    ...(trust ? [`proxy_ssl_name ${new URL(upstream).hostname};`, 'proxy_ssl_server_name on;'] : []),
    ...(gunzip ? ['gunzip on;'] : []),
    ...(gzip ? gzipLines(gzip) : []),
    `proxy_pass ${upstream};`,
  ]
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
