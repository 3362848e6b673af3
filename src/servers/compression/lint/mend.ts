import type { LintCheck, MendedServer } from './requests.js'

type Mend = Readonly<Partial<Record<MendedServer, string>>>

/** The server compresses by itself, and asks the program behind it for raw answers. */
const OWN_CODING: Mend = {
  nginx: 'proxy_set_header Accept-Encoding ""; gzip on; gzip_vary on;',
  Apache: 'SetOutputFilter INFLATE;DEFLATE',
  Caddy: 'encode zstd gzip, and header_up -Accept-Encoding in reverse_proxy',
  HAProxy: 'compression algo gzip and compression offload',
}

/** The server decodes what a client did not offer. */
const DECODE: Mend = {
  nginx: 'gunzip on; and no proxy_set_header Accept-Encoding gzip;',
  Apache: 'FilterProvider with INFLATE for clients without gzip; no SetEnv force-gzip',
  Caddy: 'encode zstd gzip, and header_up -Accept-Encoding in reverse_proxy',
  HAProxy: 'compression offload, and no http-request set-header Accept-Encoding',
}

const NO_CODING: Mend = {
  nginx: 'gzip off; gzip_static off;',
  Apache: 'SetEnv no-gzip 1',
  Caddy: 'no encode for this path',
  HAProxy: 'no compression algo in this backend',
}

/** The directives that mend the fault of each check. */
const MENDS: Readonly<Record<string, Mend>> = {
  unasked: DECODE,
  not_offered: DECODE,
  weight_zero: OWN_CODING,
  refused: OWN_CODING,
  not_acceptable: OWN_CODING,
  status: OWN_CODING,
  unlabelled: {
    nginx: 'gzip_static on; in place of try_files with .gz',
    Apache: 'AddEncoding gzip .gz',
    Caddy: 'precompressed gzip in file_server',
    HAProxy: 'http-response set-header Content-Encoding gzip',
  },
  double_coded: NO_CODING,
  body: NO_CODING,
  deflate: OWN_CODING,
  zstd: OWN_CODING,
  length: OWN_CODING,
  content_type: OWN_CODING,
  vary: {
    nginx: 'gzip_vary on;',
    Apache: 'Header merge Vary Accept-Encoding',
    Caddy: 'header +Vary Accept-Encoding',
    HAProxy: 'http-after-response set-header Vary Accept-Encoding',
  },
  vary_raw: {
    nginx: 'gzip_vary on;',
    Apache: 'Header merge Vary Accept-Encoding',
    Caddy: 'header +Vary Accept-Encoding',
    HAProxy: 'http-after-response set-header Vary Accept-Encoding',
  },
  vary_304: {
    nginx: 'add_header Vary Accept-Encoding; in place of gzip_vary',
    Apache: 'Header always merge Vary Accept-Encoding',
    Caddy: 'header +Vary Accept-Encoding',
    HAProxy: 'http-after-response set-header Vary Accept-Encoding',
  },
  etag: {
    nginx: 'etag off; where files are sent with gzip_static or brotli_static',
    Apache: 'DeflateAlterETag AddSuffix (BrotliAlterETag AddSuffix)',
    Caddy: 'header -ETag, or Caddy 2.9',
    HAProxy: 'http-response del-header ETag',
  },
  if_none_match: { Apache: 'DeflateAlterETag NoChange with weak ETags', Caddy: 'Caddy 2.9' },
  head: { nginx: 'proxy_cache_convert_head on;' },
  head_length: {
    nginx: 'proxy_hide_header does not remove it: mend the program behind',
    Apache: 'Header unset Content-Length "expr=%{REQUEST_METHOD} == \'HEAD\'"',
    Caddy: 'header @head -Content-Length, with @head method HEAD',
    HAProxy: 'http-response del-header Content-Length if METH_HEAD',
  },
  http10: {
    nginx: 'gzip_http_version 1.1;',
    Apache: 'SetEnvIf Request_Protocol HTTP/1.0 no-gzip',
    HAProxy: 'no option: HAProxy sends no chunks to HTTP/1.0',
  },
  range: {
    nginx: 'max_ranges 0; or gzip on, which removes Accept-Ranges',
    Apache: 'MaxRanges none',
    Caddy: 'request_header -Range',
    HAProxy: 'http-request del-header Range',
  },
  savings: {
    nginx: 'gzip on; gzip_types TYPE;',
    Apache: 'AddOutputFilterByType DEFLATE TYPE',
    Caddy: 'encode zstd gzip',
    HAProxy: 'compression algo gzip, compression type TYPE',
  },
}

/** Names the directives that mend a failed check. */
export function withMend(each: LintCheck): LintCheck {
  const mend = MENDS[each.name]
  return each.ok || mend === undefined ? each : { ...each, mend }
}
