import type { Exchange } from '../../http/exchange.js'
import type { ClusterAccess } from '../../kubernetes/client/access.js'
import type { ApiRequest } from '../../kubernetes/client/requests.js'
import type { Globals } from '../globals.js'
import { narrate } from '../output.js'

/**
 * `--show-http`: tells each exchange with a cluster on stderr.
 * @param kubectl the equal kubectl command of the whole command, without the options that reach the cluster
 */
export async function httpNarrator(
  access: ClusterAccess,
  { showSecrets, cacert }: Globals,
  kubectl: readonly string[] | undefined,
): Promise<(exchange: Exchange, request: ApiRequest) => void> {
  const { httpLines } = await import('../../render/kubernetes/http-lines.js')
  const { curlLine, kubectlLine } = await import('../../render/kubernetes/equal-lines.js')
  let told = false
  return (exchange, request) => {
    for (const line of httpLines(exchange, { showSecrets })) narrate(line)
    const command = told ? undefined : kubectl
    told = true
    narrate(`# kubectl  ${kubectlLine(access, command ?? rawWords(request))}`)
    narrate(
      `# curl     ${curlLine(access, request, { showSecrets, ...(cacert !== undefined && { cacert }) })}`,
    )
    narrate('')
  }
}

/** Any request can be sent by kubectl as it is. */
function rawWords({ method, path, body }: ApiRequest): string[] {
  if (method === 'GET') return ['get', '--raw', path]
  const verb = method === 'DELETE' ? 'delete' : 'create'
  return [verb, '--raw', path, ...(body === undefined ? [] : ['-f', '-'])]
}
