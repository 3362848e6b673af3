import type { Command } from 'commander'
import { EXIT, TransportError } from '../../errors.js'
import { type Asked, compareGranted } from '../../kubernetes/client/granted.js'
import { tokenRequest } from '../../kubernetes/client/requests.js'
import { readServiceAccountToken } from '../../kubernetes/client/service-account-token.js'
import type { TokenRequest } from '../../kubernetes/shapes.js'
import { grantedLines } from '../../render/kubernetes/granted-lines.js'
import { signsFor } from '../../render/signs.js'
import { type Globals, readGlobals } from '../globals.js'
import { narrate } from '../output.js'
import { formOf, type OutputForm, printObject } from './output-form.js'
import { checkName, type ReachedCluster, withCluster } from './reach.js'
import { decodedIfJwt } from './token-input.js'
import { askedOf, kubectlWords, type TokenFlags } from './token-words.js'

/** Asks for a token and returns what the API answered. */
async function request(cluster: ReachedCluster, account: string, asked: Asked) {
  const { audiences, expirationSeconds, binding: boundObjectRef } = asked
  return cluster.ask<TokenRequest>(
    tokenRequest(cluster.namespace, account, {
      ...(audiences.length > 0 && { audiences }),
      ...(expirationSeconds !== undefined && { expirationSeconds }),
      ...(boundObjectRef && { boundObjectRef }),
    }),
  )
}

async function printToken(
  granted: TokenRequest,
  form: OutputForm | undefined,
  globals: Globals,
  now: number,
): Promise<void> {
  const token = granted.status?.token ?? ''
  switch (form) {
    case 'json':
    case 'yaml':
      return printObject(form, granted)
    case 'exec-credential': {
      const { execCredential } = await import('./exec-credential.js')
      return printObject('json', execCredential(granted.status, process.env))
    }
    case 'decoded': {
      const { printCard } = await import('./inspect.js')
      return printCard(token, globals, now)
    }
    default:
      // As kubectl does: in a pipe not even a line break is added.
      process.stdout.write(process.stdout.isTTY ? `${token}\n` : token)
  }
}

/** `oauth-lab k8s token`: a token of a service account, and what was granted. */
export async function mintToken(account = 'demo', flags: TokenFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const form = formOf(flags.output, globals)
  const asked = askedOf(flags)
  checkName('the account', account)
  const kubectl = kubectlWords(flags.namespace, account, asked)
  await withCluster(flags, globals, { kubectl }, async cluster => {
    const { object, warnings } = await request(cluster, account, asked)
    const token = object.status?.token
    if (typeof token !== 'string' || token === '') {
      throw new TransportError(
        `${cluster.access.server} answered with a TokenRequest that holds no token`,
        'EBADMSG',
      )
    }
    const jwt = decodedIfJwt(token)
    const read = jwt && readServiceAccountToken(jwt)
    // Whoever runs a credential plugin wants to hear nothing of it: kubectl passes its stderr on.
    if (form !== 'json' && form !== 'exec-credential' && read) {
      const signs = signsFor(globals)
      narrate(`Token of ${cluster.namespace}/${account} at ${cluster.access.server}`)
      for (const line of grantedLines(compareGranted(asked, read), read, warnings, signs)) narrate(line)
    }
    await printToken(object, form, globals, cluster.now())
  })
  process.exitCode = EXIT.done
}
