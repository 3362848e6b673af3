import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../../../../protocol/errors.js'
import { type ClusterAccess, type Credential, isBearer } from '../access.js'
import { certificateProblem, isPemCertificate } from '../certificate-dates.js'
import type { CredentialPorts } from './credential-ports.js'
import { runPlugin } from './exec.js'
import type { ChosenContext, Entry, UserEntry } from './shape.js'

async function readNamed(path: string, file: string, member: string): Promise<string> {
  const full = resolve(dirname(file), path)
  return readFile(full, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`the kubeconfig ${file}: cannot read ${member} ${full} (${error.code})`)
  })
}

/** Returns the text of `NAME-data`, else the content of the file NAME. */
async function dataOrFile(
  { value, file }: Entry<UserEntry>,
  member: 'client-certificate' | 'client-key',
): Promise<string | undefined> {
  const data = value[`${member}-data`]
  if (data) return Buffer.from(data, 'base64').toString('utf8')
  const path = value[member]
  return path ? readNamed(path, file, member) : undefined
}

/**
 * Returns a token as a credential.
 * @throws UsageError for a token that does not fit into a header
 */
export function bearerCredential(text: string, from: string): Credential {
  const token = text.trim()
  if (token === '') throw new UsageError(`the token of ${from} is empty`)
  if (!isBearer(token)) throw new UsageError(`the token of ${from} holds spaces or signs that no token has`)
  if (token.length > 16_384)
    throw new UsageError(
      `the token of ${from} has ${token.length} characters; no server takes that in a header`,
    )
  return { kind: 'bearer', token, from }
}

/**
 * Returns a client certificate with its key as a credential.
 * @throws UsageError when a text is unreadable, or the certificate is outside its validity
 */
function certificateCredential(cert: string, key: string, from: string, now: number): Credential {
  if (!isPemCertificate(cert)) throw new UsageError(`the client certificate of ${from} is no PEM certificate`)
  const problem = certificateProblem(cert, now)
  if (problem !== undefined) {
    throw new UsageError(`the client certificate of ${from} ${problem}`, [
      'Get a new kubeconfig from the person who gave you this one.',
    ])
  }
  try {
    createPrivateKey(key)
  } catch {
    throw new UsageError(`the client key of ${from} is no PEM key, or is encrypted`)
  }
  return { kind: 'certificate', cert, key, from }
}

/** Refuses impersonation and auth-provider settings. Ignoring impersonation would run the command as the wrong user. */
function refuseUnsupported(user: Entry<UserEntry>, from: string): void {
  const members = Object.keys(user.value)
  const known = members.find(each => each === 'auth-provider' || /^as(-|$)/.test(each))
  if (known === undefined) return
  throw new UsageError(`${from} uses ${known}, which is not supported here`, [
    known === 'auth-provider'
      ? 'kubectl dropped it too: use a credential plugin (exec).'
      : 'Use a context without impersonation.',
  ])
}

/**
 * Returns the credential of a user: exec, certificate, token file, token or password, in the order of kubectl.
 * @throws UsageError; TimeoutError when a plugin takes too long
 */
export async function credentialOf(
  user: Entry<UserEntry>,
  { context: { user: name } }: ChosenContext,
  around: CredentialPorts & Omit<ClusterAccess, 'credential'>,
): Promise<Credential> {
  const { value, file } = user
  const from = `the user ${name} of ${file}`
  refuseUnsupported(user, from)
  const cert = await dataOrFile(user, 'client-certificate')
  const key = await dataOrFile(user, 'client-key')
  if (cert !== undefined && key !== undefined) return certificateCredential(cert, key, from, around.now())
  if (cert !== undefined || key !== undefined) {
    throw new UsageError(
      `${from} has a client ${cert === undefined ? 'key without its certificate' : 'certificate without its key'}`,
    )
  }
  if (value.tokenFile) return bearerCredential(await readNamed(value.tokenFile, file, 'tokenFile'), from)
  if (value.token) return bearerCredential(value.token, from)
  if (value.username) {
    return { kind: 'basic', username: value.username, password: value.password ?? '', from }
  }
  if (!value.exec) return { kind: 'none' }
  const status = await runPlugin({ value: value.exec, file }, from, around)
  const { token, clientCertificateData: chain, clientKeyData: pluginKey } = status
  const plugin = `the plugin ${value.exec.command} of ${from}`
  if (chain !== undefined && pluginKey !== undefined)
    return certificateCredential(chain, pluginKey, plugin, around.now())
  return bearerCredential(token ?? '', plugin)
}
