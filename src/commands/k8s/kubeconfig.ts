import { UsageError } from '../../protocol/errors.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import type { ClusterAccess } from '../../servers/kubernetes/client/access.js'
import { execUser, kubeconfigOf, userOf } from '../../servers/kubernetes/client/kubeconfig/write.js'
import { tokenRequest } from '../../servers/kubernetes/client/requests.js'
import type { TokenRequest } from '../../servers/kubernetes/shapes.js'
import { checkName, plannedLabAccess, sameCluster } from '../../session/targets/cluster.js'
import { narrate } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { clusterOptions, withCluster } from './cluster.js'
import { type KubeconfigFlags, printObject, readRun } from './options.js'

/**
 * `oauth-lab k8s kubeconfig`: prints a file for kubectl. It holds the caller's own credentials, a new token of an account, or with
 * `--exec` this program as the plugin that makes tokens.
 */
export async function printKubeconfig(
  account: string | undefined,
  flags: KubeconfigFlags,
  globals: Globals,
): Promise<void> {
  const { form } = readRun(flags, globals)
  if (flags.oidc) {
    const { printOidcKubeconfig } = await import('./oidc-kubeconfig.js')
    return printOidcKubeconfig(account, flags, globals, form === 'json' ? 'json' : 'yaml')
  }
  if (flags.user !== undefined || flags.browser) {
    throw new UsageError(`${flags.browser ? '--browser' : '--user'} is for --oidc`)
  }
  if (account !== undefined) checkName('the account', account)
  if (flags.bearerFile === '-' && flags.exec) {
    throw new UsageError('a plugin cannot read --bearer-file - from stdin', ['Name a file'])
  }
  const print = (file: object) => printObject(form === 'json' ? 'json' : 'yaml', file)
  function printLasting(access: ClusterAccess, namespace: string): Promise<void> {
    if (!flags.exec) return print(kubeconfigOf(access, namespace, 'oauth-lab', userOf(access)))
    const name = account ?? 'demo'
    const words = [
      process.argv[1] ?? 'oauth-lab',
      ...['k8s', 'token', name, '-n', namespace, '-o', 'exec-credential'],
      ...(flags.audience ?? []).flatMap(each => ['--audience', each]),
      ...sameCluster(clusterOptions(flags, globals)),
    ]
    const user = execUser(process.execPath, words, globals.home)
    return print(kubeconfigOf(access, namespace, `${name}-exec`, user))
  }
  if (flags.exec || account === undefined) {
    const planned = await plannedLabAccess(clusterOptions(flags, globals))
    if (planned !== undefined) {
      narrate('No lab is running: this file is for the one that   oauth-lab serve   starts.')
      return printLasting(planned, flags.namespace ?? 'default')
    }
  }
  await withCluster(flags, globals, {}, async ({ access, namespace, ask, embedded }) => {
    if (account === undefined || flags.exec) return printLasting(access, namespace)
    if (embedded) {
      throw new UsageError('no lab is running, and a token of one that ends now would be good nowhere', [
        'Start one first:   oauth-lab serve',
      ])
    }
    const asked = { audiences: flags.audience ?? [] }
    const { object } = await ask<TokenRequest>(tokenRequest(namespace, account, asked))
    const { token, expirationTimestamp = 'an unknown time' } = object.status ?? {}
    narrate(`The token of ${account} in it expires at ${makeSafe(expirationTimestamp)}; --exec renews.`)
    await print(kubeconfigOf(access, namespace, account, { token }))
  })
}
