import type { Command } from 'commander'
import { type ApiRequest, discoveryRequest, jwksRequest } from '../../kubernetes/client/requests.js'
import { jsonLine } from '../../render/json-line.js'
import { readGlobals } from '../globals.js'
import { printData } from '../output.js'
import { formOf, type OutputForm, printObject } from './output-form.js'
import { withCluster } from './reach.js'
import type { TargetFlags } from './target-options.js'

/** Options of `k8s discovery` and `k8s jwks`. */
export interface DocumentFlags extends TargetFlags {
  readonly output?: OutputForm
}

async function printDocument(request: ApiRequest, flags: DocumentFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const form = formOf(flags.output, globals)
  await withCluster(flags, globals, {}, async ({ ask }) => {
    const { object } = await ask<object>(request)
    if (form === 'json' || form === 'yaml') return printObject(form, object)
    printData(jsonLine(object, 2))
  })
}

/** `oauth-lab k8s discovery`: the document that names issuer and keys. */
export function printDiscovery(flags: DocumentFlags, command: Command): Promise<void> {
  return printDocument(discoveryRequest, flags, command)
}

/** `oauth-lab k8s jwks`: the public keys, as they can be uploaded where nobody can fetch them. */
export function printJwks(flags: DocumentFlags, command: Command): Promise<void> {
  return printDocument(jwksRequest, flags, command)
}
