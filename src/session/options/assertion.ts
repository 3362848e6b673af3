import { createPrivateKey } from 'node:crypto'
import { makeSamlAssertion } from '../../client/saml-assertion.js'
import type { AssertionSource, AssertionWords } from '../../flows/requests/assertion-source.js'
import type { LabConfig } from '../../lab/lab-file/config.js'
import {
  BUILT_IN_ISSUER,
  ensureAssertionIssuer,
  seededAssertionKey,
} from '../../lab/sites/built-in-assertion-issuer.js'
import { UsageError } from '../../protocol/errors.js'
import { type ClientKey, loadClientKey, signWith } from '../../protocol/tokens/client-assertion.js'
import { readInputFile } from '../input/input.js'
import type { FlowRunOptions } from './table.js'

/** The options of an assertion that is made here. */
export type AssertionOptions = Pick<FlowRunOptions, 'saml' | 'issuerKey' | 'assertionIssuer'>

/** Largest file of a key, in bytes. */
const MAX_KEY_FILE = 64 * 1024

/** The issuer of the assertions when no option names one: the built-in one, or the first suitable one of the lab file. */
function registeredIssuer({ given, assertionIssuerFiles: registered }: LabConfig, saml: boolean): string {
  if (!given.includes('assertion_issuers')) return BUILT_IN_ISSUER
  const first = registered.find(each => (saml ? each.certificateFile : each.jwksFile) !== undefined)
  if (first !== undefined) return first.issuer
  throw new UsageError(
    `the lab file registers no assertion issuer with a ${saml ? 'certificate_file' : 'jwks_file'}`,
    ['Add one to assertion_issuers, or leave assertion_issuers out for the built-in one'],
  )
}

/** The key of an assertion issuer, with what SAML signatures need. */
interface IssuerKey {
  readonly key: ClientKey
  readonly keyPem: string
  readonly certificatePem?: string
}

async function builtInKey(home: string, seed: number | undefined, saml: boolean): Promise<IssuerKey> {
  const { keyPem, certificatePem } = await ensureAssertionIssuer(home)
  if (seed !== undefined && !saml) {
    return { key: { alg: 'EdDSA', privateKey: seededAssertionKey(seed) }, keyPem, certificatePem }
  }
  return { key: { alg: 'ES256', privateKey: createPrivateKey(keyPem) }, keyPem, certificatePem }
}

async function keyFile(file: string): Promise<IssuerKey> {
  const text = await readInputFile('the key of the assertion issuer', file, MAX_KEY_FILE)
  try {
    const key = loadClientKey(text)
    return { key, keyPem: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
  } catch (error) {
    throw new UsageError(`--issuer-key ${file}: ${error instanceof Error ? error.message : 'unreadable'}`)
  }
}

/** The claims of a JWT assertion (RFC 7523 §3); times are NumericDates. */
function claimsOf({ issuer, subject, audience, id, issuedAt, expiresAt }: AssertionWords) {
  const [iat, exp] = [issuedAt, expiresAt].map(ms => Math.floor(ms / 1000))
  return { iss: issuer, sub: subject, aud: audience, jti: id, iat: iat ?? 0, exp: exp ?? 0 }
}

/**
 * Finds the issuer that signs the assertions of a flow: the built-in one with its key in the state folder, or another
 * one with the key of `--issuer-key`.
 * @throws UsageError
 */
export async function assertionSource(
  options: AssertionOptions,
  subject: string,
  {
    config,
    home,
    seed,
  }: { readonly config: LabConfig | undefined; readonly home: string; readonly seed?: number | undefined },
): Promise<AssertionSource> {
  const { assertionIssuer, issuerKey } = options
  const saml = options.saml === true
  if (!config && (issuerKey === undefined || assertionIssuer === undefined)) {
    throw new UsageError(
      'another server accepts assertions only of the issuers that are registered with it',
      ['Name one, and its private key:  --assertion-issuer https://idp.example --issuer-key FILE'],
    )
  }
  const issuer = assertionIssuer ?? (config ? registeredIssuer(config, saml) : BUILT_IN_ISSUER)
  if (issuerKey === undefined && issuer !== BUILT_IN_ISSUER) {
    throw new UsageError(`assertions of ${issuer} need its private key`, ['Name it:  --issuer-key FILE'])
  }
  const { key, ...pems } =
    issuerKey === undefined ? await builtInKey(home, seed, saml) : await keyFile(issuerKey)
  const make: AssertionSource['make'] = saml
    ? words => makeSamlAssertion(words, pems)
    : words => signWith(claimsOf(words), key)
  return { format: saml ? 'saml' : 'jwt', alg: key.alg, issuer, subject, make }
}
