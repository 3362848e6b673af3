import { parseDuration } from '../../lab/lab-file/duration.js'
import { TransportError, UsageError } from '../../protocol/errors.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import { type Asked, compareGranted } from '../../servers/kubernetes/client/granted.js'
import { parseBinding, tokenRequest } from '../../servers/kubernetes/client/requests.js'
import { readServiceAccountToken } from '../../servers/kubernetes/client/service-account-token.js'
import type { TokenRequest } from '../../servers/kubernetes/shapes.js'
import { writeExact } from '../../session/output/writer.js'
import { checkName } from '../../session/targets/cluster.js'
import { createTokenWords, grantedLines } from '../../show/render/kubernetes/cluster-lines.js'
import { narrate } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { withCluster } from './cluster.js'
import { printObject, type Run, readRun, type TokenFlags } from './options.js'

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
      const { printCard } = await import('./checks.js')
      return printCard(token, run, now)
    }
    default:
      // As kubectl does: a pipe gets the token without a line break.
      return writeExact(process.stdout.isTTY ? `${token}\n` : token)
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
    const jwt = decodeIfJwt(token)
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

/** Reads a lifetime in seconds. The server decides if it is too short or too long. */
function seconds(text: string): number {
  const ms = /^\d{1,12}$/.test(text) ? Number(text) * 1000 : parseDuration(text)
  if (ms !== undefined) return ms / 1000
  throw new UsageError(`--duration ${JSON.stringify(text)} is not a duration`, ['Write it as 10m, 1h, 7d'])
}

function readBinding(text: string): Asked['binding'] {
  const binding = parseBinding(text)
  if (binding) return binding
  throw new UsageError(`--bind ${JSON.stringify(text)} names nothing that a token can be bound to`, [
    'It looks like pod/web-0, secret/demo-key or node/node-1; with a uid pod/web-0/UID',
  ])
}

/** Reads the token that the options ask for. @throws UsageError for a request that no cluster could grant */
export function readWish({ audience = [], duration, bind }: TokenFlags): Asked {
  if (audience.includes('')) throw new UsageError('an --audience is empty')
  return {
    audiences: audience,
    expirationSeconds: duration === undefined ? undefined : seconds(duration),
    binding: bind === undefined ? undefined : readBinding(bind),
  }
}
