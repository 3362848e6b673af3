import { createTransport } from '../../client/transport.js'
import { namedFailures } from '../../flows/advice/named-failures.js'
import { bothDocuments, differencesOf } from '../../flows/metadata/both-documents.js'
import { UsageError } from '../../protocol/errors.js'
import {
  checkedNetwork,
  issuerAddress,
  networkSettings,
  warnInsecure,
} from '../../session/options/network.js'
import { type ServerOptions, serverTarget } from '../../session/targets/server.js'
import { outside, type Target, trustedPem, withTarget } from '../../session/targets/target.js'
import { discoveryLines } from '../../show/render/discovery-lines.js'
import { signsFor } from '../../show/render/text/signs.js'
import { width } from '../../show/render/text/text.js'
import { narrate, print, printJson, terminalColumns } from '../output/output.js'
import { EXIT, untilSignal } from '../program/exit.js'
import type { Globals } from '../program/globals.js'

/** Finds the server whose documents are wanted. Its client plays no part. @throws UsageError */
async function wanted(argument: string | undefined, flags: ServerOptions, globals: Globals): Promise<Target> {
  if (argument !== undefined && flags.issuer !== undefined) {
    throw new UsageError('the issuer is named twice: as an argument and by --issuer', ['Leave one out'])
  }
  const issuer = argument ?? flags.issuer
  const network = checkedNetwork(flags)
  if (issuer === undefined) return serverTarget({ ...flags, nobody: true }, globals, { narrate }, process.env)
  const document = issuer.search(/\/\.well-known\/(openid-configuration|oauth-authorization-server)/)
  const address = issuerAddress(document < 0 ? issuer : issuer.slice(0, document))
  warnInsecure(network, { address }, { narrate })
  const reach = networkSettings(network, [address])
  return { ...outside, address, caPem: await trustedPem(globals, address), reach }
}

/**
 * `oauth-lab discover`: both metadata documents of a server, compared and checked.
 * @returns the exit code: refused where a client can use none, or where one that is there breaks a rule
 */
export function discover(
  argument: string | undefined,
  flags: ServerOptions,
  globals: Globals,
): Promise<number> {
  return untilSignal(signal =>
    withTarget(wanted(argument, flags, globals), async target => {
      const { address: issuer, caPem, now, reach } = target
      const transport = createTransport({ timeoutMs: globals.timeoutMs, caPem, now, ...reach })
      try {
        const documents = await bothDocuments(issuer, namedFailures(transport.send), signal)
        const [openid, oauth] = documents.map(({ document }) => document)
        const differences = openid && oauth ? differencesOf(openid, oauth) : []
        if (globals.json) printJson({ issuer, documents, differences })
        else {
          const text = { now: now(), signs: signsFor(globals), width, columns: terminalColumns() }
          print(...discoveryLines(documents, differences, text))
        }
        const isBroken = documents.some(({ status, problem }) => status === 200 && problem !== undefined)
        const isUsable = documents.some(({ problem }) => problem === undefined)
        return isUsable && !isBroken ? EXIT.done : EXIT.refused
      } finally {
        transport.close()
      }
    }),
  )
}
