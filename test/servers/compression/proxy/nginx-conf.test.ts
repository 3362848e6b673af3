import { describe, expect, it } from 'vitest'
import {
  MODE_SETTINGS,
  type NginxPlace,
  nginxConf,
  type ProxyMode,
  withKnobs,
} from '../../../../src/servers/compression/proxy/modes.js'

const place: NginxPlace = { port: 8081, upstream: 'http://127.0.0.1:9000' }

/** The directives inside `location`. */
function directives(mode: ProxyMode, more: Partial<NginxPlace> = {}): string[] {
  const lines = nginxConf(MODE_SETTINGS[mode], { ...place, ...more }).split('\n')
  return lines.filter(line => line.startsWith('      ')).map(line => line.trim())
}

describe('nginxConf', () => {
  it('writes the settings, and none that are the defaults of nginx', () => {
    expect(nginxConf(MODE_SETTINGS['gzip-strip'], place)).toBe(
      `events {}
http {
  server {
    listen 127.0.0.1:8081;
    location / {
      proxy_http_version 1.1;
      proxy_set_header Accept-Encoding "";
      gzip on;
      gzip_comp_level 1;
      gzip_min_length 20;
      gzip_types text/plain text/css text/xml application/json application/javascript image/svg+xml;
      gzip_http_version 1.1;
      proxy_pass http://127.0.0.1:9000;
    }
  }
}
`,
    )
  })

  it('passes everything through in the default mode', () => {
    expect(directives('default')).toEqual(['proxy_http_version 1.1;', 'proxy_pass http://127.0.0.1:9000;'])
  })

  it('asks for gzip and decodes it in mode force-gunzip', () => {
    expect(directives('force-gunzip')).toEqual([
      'proxy_http_version 1.1;',
      'proxy_set_header Accept-Encoding "gzip";',
      'gunzip on;',
      'proxy_pass http://127.0.0.1:9000;',
    ])
  })

  it('adds Vary in mode gzip-vary, and serves proxies in mode ingress only', () => {
    expect(directives('gzip-vary')).toContain('gzip_vary on;')
    expect(directives('gzip-vary')).not.toContain('gzip_proxied any;')
    expect(directives('ingress')).toContain('gzip_vary on;')
    expect(directives('ingress')).toContain('gzip_proxied any;')
    expect(directives('ingress')).toContain('gzip_min_length 256;')
  })

  it('verifies an https upstream with its CA under the name of its host', () => {
    const upstream = 'https://lab.example:8443'
    expect(directives('default', { upstream, caFile: '/srv/lab/ca.pem' })).toEqual([
      ...['proxy_http_version 1.1;', 'proxy_ssl_trusted_certificate /srv/lab/ca.pem;'],
      ...['proxy_ssl_verify on;', 'proxy_ssl_name lab.example;', 'proxy_ssl_server_name on;'],
      ...['proxy_pass https://lab.example:8443;'],
    ])
    for (const more of [{ upstream }, { caFile: '/srv/lab/ca.pem' }]) {
      expect(directives('default', more).filter(line => line.includes('ssl'))).toEqual([])
    }
  })

  it('writes the changes of a mode', () => {
    const versions = { upstreamHttp: '1.0', httpVersion: '1.0' } as const
    const knobs = { ...versions, level: 6, minLength: 1000, types: [], vary: true }
    const text = nginxConf(withKnobs(MODE_SETTINGS.gzip, { ...knobs, proxied: true }), place)
    for (const line of [
      ...['proxy_http_version 1.0;', 'gzip_comp_level 6;', 'gzip_min_length 1000;', 'gzip_http_version 1.0;'],
      ...['gzip_vary on;', 'gzip_proxied any;'],
    ]) {
      expect(text).toContain(`      ${line}\n`)
    }
    expect(text).not.toContain('gzip_types')
    expect(nginxConf(withKnobs(MODE_SETTINGS.default, { level: 6 }), place)).not.toContain('gzip')
  })

  it.each([
    ['/my lab/ca.pem', '"/my lab/ca.pem"'],
    ['/lab;/ca.pem', '"/lab;/ca.pem"'],
    ['/lab/ca.pem}', '"/lab/ca.pem}"'],
    [';/lab/ca.pem', '";/lab/ca.pem"'],
    ['/lab/"ca".pem', '"/lab/\\"ca\\".pem"'],
    ['/~lab/ca_1-2.pem', '/~lab/ca_1-2.pem'],
  ])('quotes the path %j where nginx needs quotes', (caFile, expected) => {
    expect(directives('default', { upstream: 'https://localhost', caFile })).toContain(
      `proxy_ssl_trusted_certificate ${expected};`,
    )
  })
})
