import { fromBase64, json, MAX_LENGTH, percentDecoded, type SecondReading } from './second-reading.js'
import { isJsonObject } from './values.js'

// The second reading of keys, beside second-reading.ts.

const BEGIN = '-----BEGIN '

/** The format of each label of a PEM with a key. */
const FORMAT: Readonly<Record<string, string>> = {
  'PRIVATE KEY': 'PKCS #8',
  'PUBLIC KEY': 'SubjectPublicKeyInfo',
  CERTIFICATE: 'X.509',
  'RSA PRIVATE KEY': 'PKCS #1',
  'EC PRIVATE KEY': 'SEC 1',
  'RSA PUBLIC KEY': 'PKCS #1',
}

const KEY_LABELS = Object.keys(FORMAT)

/** Writes DER in base64 as PEM. */
function pemOf(label: string, base64: string, remark: string): SecondReading {
  const lines = base64.replace(/.{64}/g, '$&\n').trimEnd()
  return { content: `${BEGIN}${label}-----\n${lines}\n-----END ${label}-----\n`, remark }
}

/** Returns the readings of a text with the first line of a PEM. */
function readPemAgain(text: string): SecondReading[] {
  const plain = text
    .replace(/\\{1,4}r/g, '')
    .replace(/\\{1,4}n/g, '\n')
    .replace(/"\s*\+\s*"/g, '')
  const [, label = '', inside = '', end = ''] =
    /-----BEGIN ([A-Z0-9 ]+?)-----(.*?)(-----END|$)/s.exec(plain) ?? []
  const base64 = inside.replace(/[\s"'`,;\\-]+/g, '')
  const remark = /\\n/.test(text)
    ? 'its line ends are the two characters \\n, as environment variables hold it'
    : end === ''
      ? 'its last line is missing: it was cut off'
      : inside.trim().includes('\n')
        ? 'its lines are indented, quoted or of another kind than those of a PEM'
        : 'its line ends are blanks, or gone'
  const whole = /\\n/.test(text) ? [{ content: plain.trim().replace(/^["']|["']$/g, ''), remark }] : []
  // Which of several blocks is meant is not guessed.
  if (plain.split(BEGIN).length > 2 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return whole
  const [own, others] = [true, false].map(isOwn => KEY_LABELS.filter(each => (each === label) === isOwn))
  return [
    ...whole,
    ...own!.map(each => pemOf(each, base64, remark)),
    ...others!.map(each =>
      pemOf(each, base64, `its label says ${label}, and it holds a ${each} (${FORMAT[each]})`),
    ),
  ]
}

/** Members of JSON files that hold a key. */
const KEY_MEMBERS = [
  ['private_key', 'it is the file of a service account; this is its private_key'],
  ['privateKey', 'it is JSON; this is its privateKey'],
  ['publicKey', 'it is JSON; this is its publicKey'],
  ['key', 'it is JSON; this is its key'],
] as const

/** Returns what a text may hold in which no key can be read as it is: PEM, or JSON of a JWK. The first that holds a key is meant. */
export function readKeyAgain(text: string): readonly SecondReading[] {
  if (text.length > MAX_LENGTH) return []
  const value = json(text)
  if (isJsonObject(value)) {
    for (const [name, remark] of KEY_MEMBERS) {
      const content = value[name]
      if (typeof content === 'string' && content.includes(BEGIN)) {
        return [{ content, remark }, ...readPemAgain(content).map(each => ({ ...each, remark }))]
      }
      if (isJsonObject(content) && 'kty' in content) return [{ content: JSON.stringify(content), remark }]
    }
    // A JWK of a certificate alone (RFC 7517 §4.7).
    const [first] = Array.isArray(value.x5c) ? value.x5c : []
    return typeof first === 'string'
      ? [pemOf('CERTIFICATE', first, 'it has no members of a key, but a certificate (x5c)')]
      : []
  }
  if (Array.isArray(value) && value.every(each => isJsonObject(each) && 'kty' in each)) {
    const remark = 'it is a list of JWKs, and no JWK Set: write {"keys":[…]} around it'
    return [{ content: JSON.stringify({ keys: value }), remark }]
  }
  if (typeof value === 'string') {
    const remark = 'it is JSON in quotes'
    return [{ content: value, remark }, ...readPemAgain(text)]
  }
  if (text.includes(BEGIN)) return readPemAgain(text)
  const decoded = fromBase64(text)
  const written = decoded?.toString('utf8') ?? ''
  if (written.includes(BEGIN)) return [{ content: written, remark: 'it is base64 of a PEM' }]
  if (/^\s*\{.*"k(?:ty|eys)"/s.test(written)) return [{ content: written, remark: 'it is base64 of a JWK' }]
  const plain = percentDecoded(text)
  if (plain !== undefined && /-----BEGIN|"k(?:ty|eys)"/.test(plain))
    return [{ content: plain, remark: 'it is percent-encoded' }]
  // DER begins with a SEQUENCE.
  if (decoded?.[0] !== 0x30) return []
  const remark = 'it is the inside of a PEM, without its first and last line'
  return KEY_LABELS.map(label => pemOf(label, text.replace(/\s+/g, ''), remark))
}

/** Signs of texts that people take for keys, each with a sentence about the text and the next move. */
const NO_KEYS: readonly (readonly [sign: RegExp, what: string])[] = [
  [
    /-----BEGIN OPENSSH PRIVATE KEY-----/,
    'this is a key of OpenSSH; ssh-keygen -p -m PKCS8 -f COPY rewrites a copy of it',
  ],
  [
    /^(?:ssh-|ecdsa-sha2-)\S+ AAAA/,
    'this is a public key of OpenSSH; ssh-keygen -e -m PKCS8 -f FILE writes it as PEM',
  ],
  [
    /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----/,
    'this is a certificate request: the CA makes the certificate of it',
  ],
  [/-----BEGIN PGP /, 'this is a key of OpenPGP, which signs no tokens'],
  [/-----BEGIN (?:EC|DH|DSA) PARAMETERS-----/, 'these are parameters of a key, and no key'],
  [
    /^\s*\{[\s\S]*"(?:jwks_uri|token_endpoint)"/,
    'this is the metadata of a server: its jwks_uri names the keys',
  ],
  [/^\s*\{[\s\S]*"client_secret"/, 'these are the credentials of a client (a secret), and no key'],
  [/^eyJ[\w-]*\.[\w-]*\.[\w-]*$/, 'this is a token, and no key'],
  [/^\s*<(?:!doctype\s+html|html)\b/i, 'this is a page (HTML), and no key'],
  [
    /^0[\s\S]{0,3}[^\x09-\x7e]/,
    'this is binary: DER (openssl pkey -inform DER -in FILE) or PKCS #12 (openssl pkcs12 -nodes -in FILE)',
  ],
]

/** Returns what a text is in place of a key, as a sentence with the next move; undefined where that is not known. */
export const insteadOfKey = (text: string): string | undefined =>
  text.length > MAX_LENGTH ? undefined : NO_KEYS.find(([sign]) => sign.test(text))?.[1]

/** Returns the certificates of a map from key ids to PEM, as Google publishes them; undefined for any other value. */
export function certificateMap(value: unknown): readonly (readonly [kid: string, pem: string])[] | undefined {
  if (!isJsonObject(value)) return undefined
  const entries = Object.entries(value)
  const isMap =
    entries.length > 0 &&
    entries.every(([, pem]) => typeof pem === 'string' && pem.includes(`${BEGIN}CERTIFICATE`))
  return isMap ? entries.map(([kid, pem]) => [kid, String(pem)] as const) : undefined
}

/** Returns what a published document is in place of a JWK Set, as a clause with the next move; undefined where that is not known. */
export function insteadOfKeySet(text: string): string | undefined {
  const value = json(text)
  if (certificateMap(value))
    return 'it is a map of certificates by kid, as Google publishes under /oauth2/v1/certs; its JWK Set is at /oauth2/v3/certs'
  if (Array.isArray(value)) return 'it is a list without the object around it: {"keys":[…]}'
  if (isJsonObject(value) && 'kty' in value) return 'it is one JWK: write {"keys":[…]} around it'
  if (text.includes(BEGIN)) return 'it is PEM: oauth-lab jwk convert --to set FILE writes the set'
  return insteadOfKey(text)
}

/** Returns what a text is in place of a certificate in PEM, as a clause; undefined where that is not known. */
export function insteadOfCertificate(text: string): string | undefined {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    return 'it is a private key; the certificate of it is wanted'
  if (/-----BEGIN [A-Z ]*PUBLIC KEY-----/.test(text))
    return 'it is a public key without a certificate around it'
  if (certificateMap(json(text)))
    return 'it is a map of certificates: write the one that is meant into the file'
  const [first] = readKeyAgain(text).filter(({ content }) => content.includes(`${BEGIN}CERTIFICATE`))
  return first?.remark ?? insteadOfKey(text)
}
