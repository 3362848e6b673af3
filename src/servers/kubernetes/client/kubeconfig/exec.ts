import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { TimeoutError, UsageError } from '../../../../protocol/errors.js'
import type { ClusterAccess } from '../access.js'
import type { CredentialPorts } from './credential-ports.js'
import type { Entry, ExecEntry } from './shape.js'

/** The output of a credential plugin (client.authentication.k8s.io ExecCredentialStatus). */
export interface PluginStatus {
  readonly token?: string
  readonly clientCertificateData?: string
  readonly clientKeyData?: string
}

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

/** The largest output of a plugin, in bytes. */
const MAX_OUTPUT = 1024 * 1024

/** Returns the value of KUBERNETES_EXEC_INFO, which kubectl sets for a plugin. */
function execInfo(
  entry: ExecEntry,
  interactive: boolean,
  { server, caPem, insecure, serverName, proxyUrl }: Omit<ClusterAccess, 'credential'>,
): string {
  const cluster = {
    server,
    ...(serverName !== undefined && { 'tls-server-name': serverName }),
    ...(insecure && { 'insecure-skip-tls-verify': true }),
    ...(caPem !== undefined && { 'certificate-authority-data': Buffer.from(caPem).toString('base64') }),
    ...(proxyUrl !== undefined && { 'proxy-url': proxyUrl }),
    config: null,
  }
  return JSON.stringify({
    kind: 'ExecCredential',
    apiVersion: entry.apiVersion,
    spec: { ...(entry.provideClusterInfo && { cluster }), interactive },
  })
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
  const member = (name: string) => {
    const found = value?.status?.[name]
    return typeof found === 'string' && found !== '' ? { [name]: found } : {}
  }
  const status: PluginStatus = {
    ...member('token'),
    ...member('clientCertificateData'),
    ...member('clientKeyData'),
  }
  const both = status.clientCertificateData !== undefined && status.clientKeyData !== undefined
  if (status.token === undefined && !both)
    throw wrong('an ExecCredential without token or certificate and key')
  return status
}

/**
 * Runs a credential plugin without a shell, and reads its output.
 * @throws UsageError; TimeoutError
 */
export async function runPlugin(
  { value: entry, file }: Entry<ExecEntry>,
  from: string,
  around: CredentialPorts & Omit<ClusterAccess, 'credential'>,
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
    const { code } = error as NodeJS.ErrnoException
    const hints = installHint ? [installHint.slice(0, 500)] : []
    throw new UsageError(`cannot run the credential plugin ${command} of ${from} (${code})`, hints)
  } finally {
    clearTimeout(timer)
  }
}
