/** The suites of TLS 1.3 (RFC 8446 §B.4), which Node offers by default and drops where a list leaves them out. */
const TLS_1_3 = ['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256']

/** The suites of TLS 1.2 that RFC 9325 §4.2 recommends, by OpenSSL's names. */
const TLS_1_2 = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
]

/** The cipher suites of every listener, as the option `ciphers` of `node:tls` takes them. */
export const CIPHER_SUITES = [...TLS_1_3, ...TLS_1_2].join(':')
