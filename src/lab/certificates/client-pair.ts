import { X509Certificate } from 'node:crypto'
import { stat, unlink, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { fileProblem, NO_FOLDER, UsageError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import { formatDistinguishedName, parseDistinguishedName } from '../../protocol/oauth/distinguished-name.js'
import { certificateThumbprint } from '../../protocol/tokens/confirmation.js'
import { canonicalAddress, certificateName } from '../lab-file/names.js'
import { makeFolder } from '../state/make-folder.js'
import type { StateHome } from '../state/state-folder.js'
import type { KeyedCertificate } from './authority.js'
import {
  type AlternativeName,
  type ClientSubject,
  ensureClientAuthority,
  makeClientCertificate,
  publicJwk,
} from './client-authority.js'

/** As they were typed. */
export interface PairOptions {
  readonly subject?: string
  readonly sanDns?: readonly string[]
  readonly sanUri?: readonly string[]
  readonly sanEmail?: readonly string[]
  readonly sanIp?: readonly string[]
  readonly days: number
  readonly selfSigned?: true
}

/** A client's certificate and key in files, and the entry of the lab file for it. */
export interface ClientPair {
  readonly certificate: string
  readonly key: string
  readonly subject: string
  readonly thumbprint: string
  /** ISO 8601 UTC. */
  readonly notAfter: string
  readonly client: Readonly<Record<string, unknown>>
}

const MEMBERS: Readonly<Record<AlternativeName['type'], string>> = {
  dns: 'tls_client_auth_san_dns',
  url: 'tls_client_auth_san_uri',
  email: 'tls_client_auth_san_email',
  ip: 'tls_client_auth_san_ip',
}

function badName(option: string, value: string, like: string): UsageError {
  return new UsageError(`${option} ${JSON.stringify(value)} cannot stand in a certificate`, [
    `It looks like ${like}`,
  ])
}

function namesOf({ sanDns = [], sanUri = [], sanEmail = [], sanIp = [] }: PairOptions): AlternativeName[] {
  const ascii = /^[!-~]+$/
  return [
    ...sanDns.map((value): AlternativeName => ({ type: 'dns', value: certificateName(value) })),
    ...sanUri.map((value): AlternativeName => {
      if (ascii.test(value) && isUrl(value)) return { type: 'url', value }
      throw badName('--san-uri', value, 'https://shop.example/client')
    }),
    ...sanEmail.map((value): AlternativeName => {
      if (ascii.test(value) && /^[^@]+@[^@]+$/.test(value)) return { type: 'email', value }
      throw badName('--san-email', value, 'ops@shop.example')
    }),
    ...sanIp.map((value): AlternativeName => {
      if (isIP(value) !== 0) return { type: 'ip', value: canonicalAddress(value) }
      throw badName('--san-ip', value, '192.0.2.7')
    }),
  ]
}

function subjectOf(name: string, options: PairOptions): ClientSubject {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) {
    throw new UsageError(`${JSON.stringify(name)} is no name of a pair of files`, [
      'Use letters, digits, -, _ and .; other names go into --subject',
    ])
  }
  const read = parseDistinguishedName(options.subject ?? `CN=${name}`)
  if ('problem' in read) {
    throw new UsageError(`--subject: ${read.problem} (RFC 4514)`, ["It looks like 'CN=shop,O=Example'"])
  }
  return { subject: read.name, names: namesOf(options), days: options.days }
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Writes both files or none, and never over a file. @throws UsageError */
async function write(files: readonly (readonly [path: string, text: string, mode: number])[]): Promise<void> {
  for (const [path] of files) {
    if (!(await isThere(path))) continue
    throw new UsageError(`${path} is there already`, ['Choose another name, or another folder: -o DIR'])
  }
  const written: string[] = []
  try {
    for (const [path, text, mode] of files) {
      await writeFile(path, text, { flag: 'wx', mode })
      written.push(path)
    }
  } catch (error) {
    await Promise.all(written.map(path => unlink(path)))
    throw new UsageError(`the pair cannot be written: ${fileProblem(error, NO_FOLDER)}`)
  }
}

function entryOf(
  name: string,
  subject: string,
  pair: KeyedCertificate,
  { names: [first] }: ClientSubject,
  selfSigned: boolean,
): Readonly<Record<string, unknown>> {
  const common = { tls_client_certificate_bound_access_tokens: true, grant_types: ['client_credentials'] }
  if (selfSigned) {
    const jwks = { keys: [publicJwk(pair.certPem)] }
    const method = 'self_signed_tls_client_auth'
    return { client_id: name, token_endpoint_auth_method: method, jwks, ...common }
  }
  const member: Record<string, string> =
    first === undefined ? { tls_client_auth_subject_dn: subject } : { [MEMBERS[first.type]]: first.value }
  return { client_id: name, token_endpoint_auth_method: 'tls_client_auth', ...member, ...common }
}

/** Makes `NAME.pem` and `NAME-key.pem` in a folder. @throws UsageError for a bad name or option, and for an existing file */
export async function makeClientPair(
  home: StateHome,
  {
    name,
    folder,
    options,
  }: { readonly name: string; readonly folder: string; readonly options: PairOptions },
): Promise<ClientPair> {
  const wanted = subjectOf(name, options)
  const selfSigned = options.selfSigned === true
  const now = Date.now()
  const authority = selfSigned ? undefined : await ensureClientAuthority(home, now)
  const pair = await makeClientCertificate(wanted, authority, now)
  const certificate = join(folder, `${name}.pem`)
  const key = join(folder, `${name}-key.pem`)
  try {
    await makeFolder(folder)
  } catch (error) {
    throw new UsageError(`the folder ${folder} cannot be made: ${fileProblem(error, NO_FOLDER)}`)
  }
  await write([
    [certificate, pair.certPem, 0o644],
    [key, pair.keyPem, 0o600],
  ])
  const parsed = new X509Certificate(pair.certPem)
  const subject = formatDistinguishedName(wanted.subject)
  return {
    certificate,
    key,
    subject,
    thumbprint: certificateThumbprint({ der: parsed.raw }),
    notAfter: new Date(parsed.validTo).toISOString(),
    client: entryOf(name, subject, pair, wanted, selfSigned),
  }
}
