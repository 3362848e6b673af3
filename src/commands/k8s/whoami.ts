import type { Command } from 'commander'
import { TransportError } from '../../errors.js'
import { selfSubjectReview } from '../../kubernetes/client/requests.js'
import type { SelfSubjectReview } from '../../kubernetes/shapes.js'
import { columns } from '../../render/kubernetes/columns.js'
import { userRows } from '../../render/kubernetes/review-lines.js'
import { signsFor } from '../../render/signs.js'
import { readGlobals } from '../globals.js'
import { print, terminalColumns } from '../output.js'
import { formOf, type OutputForm, printObject } from './output-form.js'
import { withCluster } from './reach.js'
import type { TargetFlags } from './target-options.js'

/** `oauth-lab k8s whoami`: as whom a cluster knows the caller. */
export async function whoAmI(
  flags: TargetFlags & { readonly output?: OutputForm },
  command: Command,
): Promise<void> {
  const globals = readGlobals(command)
  const form = formOf(flags.output, globals)
  await withCluster(flags, globals, { kubectl: ['auth', 'whoami'] }, async ({ ask, access }) => {
    const { object } = await ask<SelfSubjectReview>(selfSubjectReview)
    const user = object.status?.userInfo
    if (!user?.username) {
      throw new TransportError(`${access.server} answered with a SelfSubjectReview of nobody`, 'EBADMSG')
    }
    if (form === 'json' || form === 'yaml') return printObject(form, object)
    const signs = signsFor(globals)
    print(...columns(userRows(user, signs), '', terminalColumns()))
  })
}
