import { UsageError } from '../../protocol/errors.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { defined } from '../../protocol/values.js'
import { kubeconfigOf, oidcUser } from '../../servers/kubernetes/client/kubeconfig/write.js'
import { oidcLogin } from '../../session/flow/oidc-login.js'
import { knownUser } from '../../session/people/users.js'
import { labTarget } from '../../session/targets/lab.js'
import { withTarget } from '../../session/targets/target.js'
import { narrate } from '../output/output.js'
import { watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { type KubeconfigFlags, printObject } from './options.js'

function checkFlags(account: string | undefined, flags: KubeconfigFlags): void {
  const { exec, audience, kubeconfig, context, cluster, bearerFile, user, browser } = flags
  if (account !== undefined) throw new UsageError('--oidc logs in a person, not a service account')
  const others = { exec, audience, kubeconfig, context, cluster, 'bearer-file': bearerFile }
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? []
  if (other !== undefined) throw new UsageError(`--oidc logs in at a lab: leave out --${other}`)
  if (user !== undefined && browser) throw new UsageError('with --browser you name the user in the browser')
}

/** `oauth-lab k8s kubeconfig --oidc`: logs a person in at the lab, and prints a file with which kubectl works as that person. */
export async function printOidcKubeconfig(
  account: string | undefined,
  flags: KubeconfigFlags,
  globals: Globals,
  form: 'json' | 'yaml',
): Promise<void> {
  checkFlags(account, flags)
  const interruption = watchSignals()
  try {
    await withTarget(labTarget(globals, { narrate, cluster: true }), async lab => {
      const { caPem, config, urls } = lab
      if (lab.embedded !== undefined || urls.cluster === undefined) {
        throw new UsageError(
          'no lab with a cluster is running, and a login at one that ends now would be good nowhere',
          ['Start one first:   oauth-lab serve --cluster-oidc'],
        )
      }
      const user = flags.browser ? undefined : knownUser(flags.user, undefined, config.users)
      const { timeoutMs, home } = globals
      const people = {
        user,
        ask: undefined,
        inBrowser: flags.browser === true,
        open: true,
        patience: undefined,
        say: (line: string) => narrate(makeSafe(line)),
      }
      const logged = await oidcLogin({ lab, home, people, timeoutMs, signal: interruption.signal })
      const access = defined({
        server: urls.cluster,
        via: 'the lab',
        credential: { kind: 'none' },
        kubectl: [],
        caPem,
      })
      const name = user?.username ?? 'oidc'
      narrate(
        `Logged in at ${logged.issuer}. Keep the output in a file: kubectl writes renewed tokens into it.`,
      )
      await printObject(
        form,
        kubeconfigOf(access, flags.namespace ?? 'default', name, oidcUser({ ...logged, caPem })),
      )
    })
  } finally {
    interruption.ignore()
  }
}
