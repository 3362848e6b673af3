import type { ApiRequest } from '../../servers/kubernetes/client/requests.js'
import { jsonLine } from '../../show/render/text/json-line.js'
import { printData } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { withCluster } from './cluster.js'
import { type ClusterFlags, printObject, readRun } from './options.js'

/** `oauth-lab k8s discovery` and `k8s jwks`: a public document of a cluster. */
export const printDocument =
  (request: ApiRequest) =>
  async (flags: ClusterFlags, globals: Globals): Promise<void> => {
    const { form } = readRun(flags, globals)
    const { object } = await withCluster(flags, globals, {}, ({ ask }) => ask<object>(request))
    if (form === 'json' || form === 'yaml') await printObject(form, object)
    else printData(jsonLine(object, 2))
  }
