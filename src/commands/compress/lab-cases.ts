import type { CaseSetting } from '../../render/compression/case.js'

/** Five ways from the server to the client: who compresses, who decodes, and who only passes on. */
export const LAB_CASES: readonly CaseSetting[] = [
  { name: 'A', title: 'no proxy', mode: null, offer: 'gzip' },
  { name: 'B', title: 'proxy passes through (default)', mode: 'default', offer: 'gzip' },
  { name: 'C', title: 'proxy forces gzip upstream', mode: 'force', offer: null },
  { name: 'D', title: 'as C, decompression on the proxy', mode: 'force-gunzip', offer: null },
  { name: 'E', title: 'server raw, proxy compresses', mode: 'gzip-strip', offer: 'gzip' },
]

/**
 * What is asked for: letters a, which no other text compresses like; the greeting, which grows; and two texts of the lab itself, of
 * which one is all but random.
 */
export const LAB_PATHS: readonly string[] = [
  '/kb/200',
  '/kb/2',
  '/',
  '/.well-known/openid-configuration',
  '/.well-known/jwks.json',
]

/** What a client can offer, in the order of the key. */
export const LAB_OFFERS: readonly (string | null)[] = [
  'gzip',
  null,
  'br',
  'gzip, br',
  'br;q=1, gzip;q=0.5',
  '*',
  'identity',
  'gzip;q=0',
  'gzip;q=0, *',
]
