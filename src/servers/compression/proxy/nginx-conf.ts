import type { GzipSettings, ProxySettings } from './modes.js'

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
