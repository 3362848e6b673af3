import type { Command } from 'commander'
import { type ApiRequest, discoveryRequest, jwksRequest } from '../../kubernetes/client/requests.js'
import { makeSafe } from '../../render/safe.js'
import { readGlobals } from '../globals.js'
import { print, printJson } from '../output.js'
import { withCluster } from './reach.js'
import type { TargetFlags } from './target-options.js'

async function printDocument(request: ApiRequest, flags: TargetFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  await withCluster(flags, globals, {}, async ({ ask }) => {
    const { object } = await ask<object>(request)
    if (globals.json) return printJson(object)
    print(
      ...JSON.stringify(object, undefined, 2)
        .split('\n')
        .map(line => makeSafe(line)),
    )
  })
}

/** `oauth-lab k8s discovery`: the document that names issuer and keys. */
export function printDiscovery(flags: TargetFlags, command: Command): Promise<void> {
  return printDocument(discoveryRequest, flags, command)
}

/** `oauth-lab k8s jwks`: the public keys, as they can be uploaded where nobody can fetch them. */
export function printJwks(flags: TargetFlags, command: Command): Promise<void> {
  return printDocument(jwksRequest, flags, command)
}
