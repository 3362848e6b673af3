import { type ChildProcess, spawn } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileProblem, TimeoutError, UsageError } from '../../../../protocol/errors.js'
import { type ClusterAccess, type Credential, isBearer } from '../access.js'
import { type ExecEntry, type In, type Value, wrongIn } from './parse.js'
import { clusterOf } from './write.js'

/** The ports for reading credentials. */
export interface CredentialPorts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The most milliseconds that a credential plugin may take. */
  readonly timeoutMs: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** True when a person can answer questions of a plugin. */
  readonly interactive: boolean
}

/** The ports, and the access without its credential. */
type Around = CredentialPorts & Omit<ClusterAccess, 'credential'>

/** True when a text holds a readable PEM certificate. */
export function isPemCertificate(text: string): boolean {
  try {
    new X509Certificate(text)
    return true
  } catch {
    return false
  }
}

/** Returns the problem of the first certificate in a PEM text at a time, or undefined for a valid certificate. */
function certificateProblem(pem: string, now: number): string | undefined {
  const certificate = new X509Certificate(pem)
  const from = new Date(certificate.validFrom)
  const to = new Date(certificate.validTo)
  if (now > to.getTime()) return `expired on ${to.toISOString()}`
  if (now < from.getTime()) return `is not valid before ${from.toISOString()}`
  return undefined
}

/** Reads the file that a member of a kubeconfig names. @throws UsageError */
export async function readNamed(path: string, file: string, member: string): Promise<string> {
  const full = resolve(dirname(file), path)
  return readFile(full, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw wrongIn(file, `cannot read ${member} ${full}: ${fileProblem(error)}`)
  })
}

/** Returns the text of `NAME-data`, else the content of the file NAME. */
async function dataOrFile(
  { value, file }: In<Value<'user'>>,
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
function refuseUnsupported(user: In<Value<'user'>>, from: string): void {
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
  user: In<Value<'user'>>,
  name: string,
  around: Around,
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

/** The output of a credential plugin that is read (client.authentication.k8s.io ExecCredentialStatus). */
const STATUS = ['token', 'clientCertificateData', 'clientKeyData'] as const

type PluginStatus = { readonly [Name in (typeof STATUS)[number]]?: string }

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

/** The largest output of a plugin, in bytes. */
const MAX_OUTPUT = 1024 * 1024

/** Returns the value of KUBERNETES_EXEC_INFO, which kubectl sets for a plugin. */
function execInfo(
  { apiVersion, provideClusterInfo }: ExecEntry,
  interactive: boolean,
  around: Around,
): string {
  const cluster = { ...clusterOf(around), config: null }
  const spec = { ...(provideClusterInfo && { cluster }), interactive }
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec })
}

/** Collects the output of a plugin until it ends. */
function output(child: ChildProcess, from: string): Promise<{ code: number | null; text: string }> {
  return new Promise((done, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= MAX_OUTPUT) chunks.push(chunk)
      else {
        child.kill('SIGKILL')
        reject(new UsageError(`the credential plugin of ${from} printed more than 1 MiB`))
      }
    })
    child.once('error', reject)
    child.once('close', code => done({ code, text: Buffer.concat(chunks).toString('utf8') }))
  })
}

function readCredential(text: string, apiVersion: string, from: string): PluginStatus {
  const wrong = (problem: string) => new UsageError(`the credential plugin of ${from} printed ${problem}`)
  let value: { kind?: unknown; apiVersion?: unknown; status?: Record<string, unknown> | null } | null
  try {
    value = JSON.parse(text)
  } catch {
    throw wrong(text.trim() === '' ? 'nothing' : 'no JSON')
  }
  if (value?.kind !== 'ExecCredential') throw wrong('no ExecCredential')
  if (value.apiVersion !== apiVersion) throw wrong(`an ExecCredential of another version than ${apiVersion}`)
  const printed = STATUS.map(name => [name, value.status?.[name]] as const)
  const status: PluginStatus = Object.fromEntries(
    printed.filter(([, each]) => typeof each === 'string' && each !== ''),
  )
  const both = status.clientCertificateData !== undefined && status.clientKeyData !== undefined
  if (status.token === undefined && !both)
    throw wrong('an ExecCredential without token or certificate and key')
  return status
}

/**
 * Runs a credential plugin without a shell, and reads its output.
 * @throws UsageError; TimeoutError
 */
async function runPlugin(
  { value: entry, file }: In<ExecEntry>,
  from: string,
  around: Around,
): Promise<PluginStatus> {
  const { command = '', args, env, apiVersion = '', interactiveMode = 'IfAvailable', installHint } = entry
  if (!VERSIONS.includes(apiVersion)) {
    throw new UsageError(
      `${from}: exec.apiVersion ${JSON.stringify(apiVersion)} is not ${VERSIONS.join(' or ')}`,
    )
  }
  const interactive = interactiveMode !== 'Never' && around.interactive
  if (interactiveMode === 'Always' && !interactive) {
    throw new UsageError(`${from}: its credential plugin asks questions, and nobody sits at a terminal`)
  }
  // As in kubectl, a path is relative to the kubeconfig, and a bare name is looked up in PATH.
  const program = /[/\\]/.test(command) ? resolve(dirname(file), command) : command
  const child = spawn(program, [...(args ?? [])], {
    shell: false,
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    env: {
      ...around.env,
      ...Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: execInfo(entry, interactive, around),
    },
  })
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
    // A process that the plugin started may hold the pipe open.
    child.stdout.destroy()
  }, around.timeoutMs)
  try {
    const { code, text } = await output(child, from)
    if (late) {
      throw new TimeoutError(
        `the credential plugin of ${from} took longer than ${around.timeoutMs / 1000} s`,
        ['Wait longer:   --timeout 2m'],
      )
    }
    if (code !== 0)
      throw new UsageError(`the credential plugin ${command} of ${from} ended with ${code ?? 'a signal'}`)
    return readCredential(text, apiVersion, from)
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    const hints = installHint ? [installHint.slice(0, 500)] : []
    const why = fileProblem(error, 'there is no such program')
    throw new UsageError(`cannot run the credential plugin ${command} of ${from}: ${why}`, hints)
  } finally {
    clearTimeout(timer)
  }
}
