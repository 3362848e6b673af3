import { TransportError } from '../../protocol/errors.js'
import { selfSubjectReview } from '../../servers/kubernetes/client/requests.js'
import type { SelfSubjectReview } from '../../servers/kubernetes/shapes.js'
import { columns } from '../../show/render/kubernetes/columns.js'
import { userRows } from '../../show/render/kubernetes/review-lines.js'
import { terminalColumns } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { withCluster } from './cluster.js'
import { type ClusterFlags, printResult, readRun } from './options.js'

/** `oauth-lab k8s whoami`: the caller's identity in a cluster. */
export async function whoAmI(flags: ClusterFlags, globals: Globals): Promise<void> {
  const run = readRun(flags, globals)
  await withCluster(flags, globals, { kubectl: ['auth', 'whoami'] }, async ({ ask, access }) => {
    const { object } = await ask<SelfSubjectReview>(selfSubjectReview)
    const user = object.status?.userInfo
    if (!user?.username) {
      throw new TransportError(`${access.server} answered with a SelfSubjectReview of nobody`, 'EBADMSG')
    }
    await printResult(run, object, () => columns(userRows(user, run.signs), '', terminalColumns()))
  })
}
