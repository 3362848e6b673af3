/** Values of Accept-Encoding that show how a server reads the field. null sends no such field. */
export const OFFERS: readonly (string | null)[] = [
  null,
  '',
  'identity',
  'deflate',
  'gzip',
  'br',
  'zstd',
  'gzip, br',
  'br;q=1, gzip;q=0.5',
  'br;q=0.5, gzip',
  '*',
  'gzip;q=0',
  'gzip;q=0, *',
  '*;q=0',
  'identity;q=0',
  'x-gzip',
  'gzip;q=abc',
]

/** A program and its default offer. */
export interface AskingProgram {
  readonly name: string
  /** Accept-Encoding as the program sends it. null for none. */
  readonly offer: string | null
  /** True when the program decodes the body for its user. */
  readonly decodes: boolean
}

/**
 * A federated graph gateway that calls its services. Observed with @apollo/gateway 2.14.4 (RemoteGraphQLDataSource), over
 * http and over https.
 */
export const GATEWAY: AskingProgram = { name: 'graph gateway', offer: 'gzip,deflate', decodes: true }

/** Other programs. Observed with their default settings. */
export const PROGRAMS: readonly AskingProgram[] = [
  { name: 'Chrome, Firefox', offer: 'gzip, deflate, br, zstd', decodes: true },
  { name: 'Safari, Googlebot', offer: 'gzip, deflate, br', decodes: true },
  { name: 'curl', offer: null, decodes: false },
  { name: 'curl --compressed', offer: 'deflate, gzip, br, zstd', decodes: true },
  { name: 'wget', offer: 'identity', decodes: false },
  { name: 'Python urllib', offer: 'identity', decodes: false },
  { name: 'node:https, undici.request', offer: null, decodes: false },
  { name: 'fetch of Node, https', offer: 'br, gzip, deflate', decodes: true },
  { name: 'fetch of Node 26, https', offer: 'br, gzip, deflate, zstd', decodes: true },
  { name: 'fetch of Node, http', offer: 'gzip, deflate', decodes: true },
  { name: 'node-fetch 3, got 14', offer: 'gzip, deflate, br', decodes: true },
  { name: 'axios', offer: 'gzip, compress, deflate, br', decodes: true },
]
