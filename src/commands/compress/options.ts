import { UsageError } from '../../protocol/errors.js'
import { PROXY_MODES } from '../../servers/compression/proxy/modes.js'
import { option, repeated, type Typed } from '../../session/options/option.js'
import { everywhere } from '../program/globals.js'
import { portOption } from '../serve/listen-options.js'

/** The options of commands that send requests to an address. */
export const sending = [
  option('-H, --header <field>', "a header field of each request, such as 'Accept: text/html'; repeatable", {
    parse: repeated,
  }),
  option('--follow', 'follow redirects, 10 at most'),
]

/** The options of `compress get`. */
export const get = [
  ...everywhere,
  option('--offer <value>', 'value of Accept-Encoding; without this option the request has none'),
  option('--offers <which>', 'send one request for each offer that differs somewhere', {
    choices: ['all'],
    conflicts: ['offer', 'hex', 'dictionary'],
  }),
  option(
    '--dictionary <file|path|url>',
    'offer dcb and dcz with this dictionary (RFC 9842); Node.js 24.21 and later decode them',
  ),
  option('--hex', 'show the coded bytes, with the gzip header explained'),
  option('--head', 'send a HEAD request'),
  option('--http1.0', 'send an HTTP/1.0 request'),
  ...sending,
]

/** An option that takes a whole number. */
function numberOption<const Flags extends `--${string} <${string}>`>(
  flags: Flags,
  meaning: string,
  least: number,
  most: number,
) {
  return option(flags, meaning, {
    parse(text: string): number {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
      if (value >= least && value <= most) return value
      const [name] = flags.split(' ', 1)
      throw new UsageError(`${name} ${JSON.stringify(text)} is not a whole number from ${least} to ${most}`)
    },
  })
}

/** The options of `compress proxy`. */
export const proxy = [
  ...everywhere,
  option('--mode <mode>', 'how the proxy treats codings', { choices: PROXY_MODES, fallback: 'default' }),
  option('--upstream <url>', 'the server behind the proxy (default: the lab)'),
  portOption('--port <port>', 'HTTPS port, 0 for a free one', 8447),
  option('--upstream-http <version>', 'proxy_http_version: the HTTP version to the upstream', {
    choices: ['1.0', '1.1'],
  }),
  numberOption('--gzip-level <number>', 'gzip_comp_level, 1 to 9', 1, 9),
  numberOption('--gzip-min-length <bytes>', 'gzip_min_length', 0, 1e9),
  option('--gzip-types <types>', "gzip_types beside text/html, with commas; 'default' for none"),
  option('--gzip-vary <state>', 'gzip_vary', { choices: ['on', 'off'] }),
  option('--gzip-proxied <whom>', 'gzip_proxied', { choices: ['any', 'off'] }),
  option('--gzip-http-version <version>', 'gzip_http_version', { choices: ['1.0', '1.1'] }),
  option('--nginx-conf', 'print the equal nginx configuration, and exit'),
]

export type RequestFlags = Typed<typeof sending>
export type GetFlags = Typed<typeof get>
export type ProxyFlags = Typed<typeof proxy>
