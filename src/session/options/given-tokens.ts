import { createPrivateKey } from 'node:crypto'
import { makeSamlAssertion } from '../../client/saml-assertion.js'
import { type AssertionSource, assertionClaims } from '../../flows/requests/assertion-source.js'
import type { LabConfig } from '../../lab/lab-file/config.js'
import {
  BUILT_IN_ISSUER,
  ensureAssertionIssuer,
  seededAssertionKey,
} from '../../lab/sites/built-in-assertion-issuer.js'
import { UsageError } from '../../protocol/errors.js'
import {
  type AuthorizationDetails,
  parseAuthorizationDetails,
} from '../../protocol/oauth/authorization-details.js'
import { readTokenType, tokenTypeNames } from '../../protocol/oauth/scope.js'
import { type ClientKey, loadClientKey, signWith } from '../../protocol/tokens/client-assertion.js'
import { defined } from '../../protocol/values.js'
import { readInputFile, readStdin } from '../input/input.js'
import { refuse } from './option.js'
import type { FlowRunOptions } from './table.js'

/** The options that give a flow a token which it would get first otherwise, and the other options that read stdin. */
type GivenTokenOptions = Pick<
  FlowRunOptions,
  | (keyof typeof KEPT_OUT | 'token' | 'subjectTokenType' | 'actorTokenType')
  | ('clientSecretStdin' | 'passwordStdin' | 'tamper')
>

/** The tokens that a person gives. */
export interface GivenTokens {
  readonly accessToken?: string
  readonly refreshToken?: string
  readonly subjectTokenType?: string
  readonly actorToken?: string
  readonly actorTokenType?: string
  /** An earlier ID token about the person who is to log in. */
  readonly idTokenHint?: string
  readonly assertion?: AssertionSource
}

/** Longest token that is read, in characters. */
const MAX_TOKEN = 1024 * 1024

/** The options whose value is to stay out of the command line, with the name of what they hold. */
const KEPT_OUT = {
  refreshToken: ['--refresh-token', 'the refresh token'],
  assertion: ['--assertion', 'the assertion'],
  subjectToken: ['--subject-token', 'the subject token'],
  actorToken: ['--actor-token', 'the actor token'],
  idTokenHint: ['--id-token-hint', 'the ID token'],
} as const

/** Refuses two options that both read stdin. @throws UsageError */
export function checkStdinUses(options: GivenTokenOptions): void {
  const dashes = (Object.keys(KEPT_OUT) as (keyof typeof KEPT_OUT)[]).filter(name => options[name] === '-')
  const uses = [
    ...(options.clientSecretStdin ? ['--client-secret-stdin'] : []),
    ...(options.passwordStdin ? ['--password-stdin'] : []),
    ...(options.token === '-' ? ['--token -'] : []),
    ...dashes.map(name => `${KEPT_OUT[name][0]} -`),
  ]
  if (uses.length < 2) return
  const hint = options.clientSecretStdin ? 'Use --client-secret-file' : 'Give one of them another way'
  throw new UsageError(`${uses[0]} and ${uses[1]} both read stdin`, [hint])
}

/** Reads a token from stdin or from a file. @throws UsageError for a value in the command line */
async function readKeptOut(
  name: keyof typeof KEPT_OUT,
  options: GivenTokenOptions,
): Promise<string | undefined> {
  const [flag, what] = KEPT_OUT[name]
  const { [name]: value } = options
  if (value === undefined) return undefined
  if (value !== '-' && !value.startsWith('@')) {
    throw new UsageError(`${flag} takes - or @FILE: every user of this computer can read a command line`, [
      `From stdin:  ${flag} - <token.txt`,
      `From a file:  ${flag} @token.txt`,
    ])
  }
  const read =
    value === '-'
      ? (await readStdin(what, MAX_TOKEN)).toString('utf8')
      : await readInputFile(what, value.slice(1), MAX_TOKEN)
  const text = read.trim()
  if (text === '') throw new UsageError(`${flag} ${value}: ${what} is empty`)
  // RFC 7522 §2.1: SAML travels as base64url; a file has it as XML.
  const token = name === 'assertion' && text.startsWith('<') ? Buffer.from(text).toString('base64url') : text
  // RFC 6749 Appendix A.12, A.17: visible characters and spaces.
  if (/^[\x20-\x7e]+$/.test(token)) return token
  throw new UsageError(`${flag} ${value}: that is no token (RFC 6749 Appendix A)`)
}

/** Reads the type of a token. @throws UsageError */
function readType(flag: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const type = readTokenType(given)
  if (type !== undefined) return type
  throw new UsageError(`${flag} ${given}: that is no token type (RFC 8693 §3)`, [
    `Use a URI, or a name: ${tokenTypeNames}`,
  ])
}

/** @throws UsageError */
async function readAccessToken(token: string): Promise<string> {
  const read = token === '-' ? (await readStdin('the access token', MAX_TOKEN)).toString('utf8') : token
  const accessToken = read.trim()
  if (/^[A-Za-z0-9\-._~+/]+=*$/.test(accessToken) && accessToken.length <= MAX_TOKEN) return accessToken
  throw new UsageError(`--token${token === '-' ? ' -' : ''}: that is no access token (RFC 6750 §2.1)`)
}

/** An assertion that somebody else signed: a JWT, or SAML in base64url (RFC 7522 §2.1). */
function givenAssertion(text: string): AssertionSource {
  const isJwt = /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)
  return {
    format: isJwt ? 'jwt' : 'saml',
    given: true,
    issuer: 'its issuer',
    subject: 'its subject',
    make: async () => text,
  }
}

/** Reads the tokens that the options give. @throws UsageError */
export async function readGivenTokens(options: GivenTokenOptions): Promise<GivenTokens> {
  const { token, subjectTokenType, actorTokenType } = options
  refuse([
    [
      token !== undefined && options.subjectToken !== undefined,
      '--token and --subject-token are the same token',
      'Leave one out',
    ],
    [
      options.assertion !== undefined && options.tamper !== undefined,
      '--tamper changes an assertion that is made here, and that of --assertion was made elsewhere',
      'Leave one out',
    ],
    [
      actorTokenType !== undefined && options.actorToken === undefined,
      '--actor-token-type needs --actor-token (RFC 8693 §2.1)',
    ],
  ])
  const types = {
    subjectTokenType: readType('--subject-token-type', subjectTokenType),
    actorTokenType: readType('--actor-token-type', actorTokenType),
  }
  const assertion = await readKeptOut('assertion', options)
  return defined({
    ...types,
    accessToken:
      token === undefined ? await readKeptOut('subjectToken', options) : await readAccessToken(token),
    refreshToken: await readKeptOut('refreshToken', options),
    actorToken: await readKeptOut('actorToken', options),
    idTokenHint: await readKeptOut('idTokenHint', options),
    assertion: assertion === undefined ? undefined : givenAssertion(assertion),
  })
}

const EXAMPLE = '[{ "type": "account_information", "actions": ["list_accounts"] }]'

/**
 * Reads `--authorization-details`: JSON, or the name of a file after `@`. The server judges the types and their members.
 * @throws UsageError
 */
export async function askedDetails(given: string | undefined): Promise<AuthorizationDetails | undefined> {
  if (given === undefined) return undefined
  const file = given.startsWith('@') ? given.slice(1) : undefined
  const text = file === undefined ? given : await readInputFile('the authorization details', file)
  const read = parseAuthorizationDetails(text)
  if ('details' in read) return read.details
  const name = file === undefined ? '' : ` ${given}`
  throw new UsageError(`--authorization-details${name}: ${read.problem} (RFC 9396 §2)`, [
    `It looks like:  --authorization-details '${EXAMPLE}'`,
  ])
}

/** The options of an assertion that is made here. */
type AssertionOptions = Pick<FlowRunOptions, 'saml' | 'issuerKey' | 'assertionIssuer'>

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
    : words => signWith(assertionClaims(words), key, words.typ)
  return { format: saml ? 'saml' : 'jwt', alg: key.alg, issuer, subject, make }
}
