import { TransportError } from '../../protocol/errors.js'
import { compareGranted } from '../../servers/kubernetes/client/granted.js'
import { tokenRequest } from '../../servers/kubernetes/client/requests.js'
import { readServiceAccountToken } from '../../servers/kubernetes/client/service-account-token.js'
import type { TokenRequest } from '../../servers/kubernetes/shapes.js'
import { checkName } from '../../session/targets/cluster.js'
import { createTokenWords } from '../../show/render/kubernetes/create-token-words.js'
import { grantedLines } from '../../show/render/kubernetes/granted-lines.js'
import { narrate } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { withCluster } from './cluster.js'
import { printObject, type Run, readRun, type TokenFlags } from './options.js'
import { decodedIfJwt } from './token-input.js'
import { readWish } from './token-wish.js'

async function printToken(granted: TokenRequest, token: string, run: Run, now: number): Promise<void> {
  switch (run.form) {
    case 'json':
    case 'yaml':
      return printObject(run.form, granted)
    case 'exec-credential': {
      const { execCredential } = await import('../../servers/kubernetes/client/granted.js')
      return printObject('json', execCredential(granted.status, process.env.KUBERNETES_EXEC_INFO))
    }
    case 'decoded': {
      const { printCard } = await import('./inspect.js')
      return printCard(token, run, now)
    }
    default:
      // As kubectl does: a pipe gets the token without a line break.
      process.stdout.write(process.stdout.isTTY ? `${token}\n` : token)
  }
}

/** `oauth-lab k8s token`: asks for a token of a service account, and compares it with the request. */
export async function mintToken(account = 'demo', flags: TokenFlags, globals: Globals): Promise<void> {
  const run = readRun(flags, globals)
  const asked = readWish(flags)
  checkName('the account', account)
  const use = {
    kubectl: createTokenWords(flags.namespace, account, asked),
    quiet: run.form === 'exec-credential',
  }
  await withCluster(flags, globals, use, async ({ ask, access, namespace, now }) => {
    const { object, warnings } = await ask<TokenRequest>(tokenRequest(namespace, account, asked))
    const token = object.status?.token
    if (typeof token !== 'string' || token === '') {
      throw new TransportError(`${access.server} answered with a TokenRequest that holds no token`, 'EBADMSG')
    }
    const jwt = decodedIfJwt(token)
    const read = jwt && readServiceAccountToken(jwt)
    // kubectl passes the stderr of a credential plugin on to its user.
    if (run.form !== 'json' && run.form !== 'exec-credential' && read) {
      narrate(`Token of ${namespace}/${account} at ${access.server}`)
      const lines = grantedLines(compareGranted(asked, read), read, warnings, run.signs)
      for (const line of lines) narrate(line)
    }
    await printToken(object, token, run, now())
  })
}
