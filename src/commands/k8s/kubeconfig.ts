import { resolve } from 'node:path'
import type { Command } from 'commander'
import { UsageError } from '../../errors.js'
import type { ClusterAccess } from '../../kubernetes/client/access.js'
import { tokenRequest } from '../../kubernetes/client/requests.js'
import type { TokenRequest } from '../../kubernetes/shapes.js'
import { makeSafe } from '../../render/safe.js'
import { type Globals, readGlobals } from '../globals.js'
import { narrate } from '../output.js'
import { labKubeconfigAccess } from './lab-kubeconfig.js'
import { formOf, type OutputForm, printObject } from './output-form.js'
import { checkName, withCluster } from './reach.js'
import type { TargetFlags } from './target-options.js'

/** Options of `k8s kubeconfig`. */
export interface KubeconfigFlags extends TargetFlags {
  readonly exec?: true
  readonly audience?: readonly string[]
  readonly output?: OutputForm
}

type User = Readonly<Record<string, unknown>>

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64')

/** Whoever the access is, as a kubeconfig writes it. */
function userOf({ credential }: ClusterAccess): User {
  switch (credential.kind) {
    case 'bearer':
      return { token: credential.token }
    case 'certificate':
      return { 'client-certificate-data': base64(credential.cert), 'client-key-data': base64(credential.key) }
    case 'basic':
      return { username: credential.username, password: credential.password }
    default:
      return {}
  }
}

/** Options that reach the same cluster again, for a plugin that runs somewhere else. */
function targetWords(
  { kubeconfig, context, cluster, bearerFile }: TargetFlags,
  { cacert, config, server }: Globals,
): string[] {
  const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value])
  const file = (name: string, path: string | undefined) => option(name, path && resolve(path))
  return [
    ...file('--kubeconfig', kubeconfig),
    ...option('--context', context),
    ...option('--cluster', cluster),
    ...file('--bearer-file', bearerFile),
    ...option('--cacert', cacert),
    ...option('--server', server),
    ...option('--config', config),
  ]
}

/** A user whose tokens `oauth-lab k8s token` makes whenever kubectl needs one. */
function execUser(account: string, namespace: string, flags: KubeconfigFlags, globals: Globals): User {
  const launcher = process.argv[1] ?? 'oauth-lab'
  return {
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: [
        ...[launcher, 'k8s', 'token', account, '-n', namespace, '-o', 'exec-credential'],
        ...(flags.audience ?? []).flatMap(each => ['--audience', each]),
        ...targetWords(flags, globals),
      ],
      env: [{ name: 'OAUTH_LAB_HOME', value: globals.home }],
      interactiveMode: 'Never',
      provideClusterInfo: false,
    },
  }
}

/** The whole file. */
function kubeconfigOf(access: ClusterAccess, name: string, namespace: string, user: User): object {
  const { server, caPem, insecure, serverName, proxyUrl } = access
  const cluster = {
    server,
    ...(caPem !== undefined && { 'certificate-authority-data': base64(caPem) }),
    ...(insecure && { 'insecure-skip-tls-verify': true }),
    ...(serverName !== undefined && { 'tls-server-name': serverName }),
    ...(proxyUrl !== undefined && { 'proxy-url': proxyUrl }),
  }
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'oauth-lab', cluster }],
    users: [{ name, user }],
    contexts: [{ name: 'oauth-lab', context: { cluster: 'oauth-lab', user: name, namespace } }],
    'current-context': 'oauth-lab',
  }
}

/**
 * `oauth-lab k8s kubeconfig`: a file for kubectl, as the administrator, as an account by a token that is made now,
 * or with `--exec` by tokens that are made whenever they are needed.
 */
export async function printKubeconfig(
  account: string | undefined,
  flags: KubeconfigFlags,
  command: Command,
): Promise<void> {
  const globals = readGlobals(command)
  const form = formOf(flags.output, globals)
  const print = (file: object) => printObject(form === 'json' ? 'json' : 'yaml', file)
  if (account !== undefined) checkName('the account', account)
  if (flags.bearerFile === '-' && flags.exec) {
    throw new UsageError('a plugin cannot read --bearer-file - from stdin', ['Name a file'])
  }
  const local = await labKubeconfigAccess(flags, globals)
  const whole = (access: ClusterAccess, namespace: string) =>
    flags.exec
      ? kubeconfigOf(
          access,
          `${account ?? 'demo'}-exec`,
          namespace,
          execUser(account ?? 'demo', namespace, flags, globals),
        )
      : kubeconfigOf(access, 'oauth-lab', namespace, userOf(access))
  if (local !== undefined && (flags.exec || account === undefined)) {
    if (local.note !== undefined) narrate(local.note)
    return print(whole(local.access, flags.namespace ?? 'default'))
  }
  await withCluster(flags, globals, {}, async ({ access, namespace, ask, embedded }) => {
    if (account === undefined || flags.exec) return print(whole(access, namespace))
    if (embedded) {
      throw new UsageError('no lab is running, and a token of one that ends now would be good nowhere', [
        'Start one first:   oauth-lab serve',
      ])
    }
    const audiences = flags.audience ?? []
    const { object } = await ask<TokenRequest>(
      tokenRequest(namespace, account, { ...(audiences.length > 0 && { audiences }) }),
    )
    narrate(
      `The token of ${account} in it expires at ${makeSafe(object.status?.expirationTimestamp ?? 'an unknown time')}; --exec renews.`,
    )
    await print(kubeconfigOf(access, account, namespace, { token: object.status?.token }))
  })
}
