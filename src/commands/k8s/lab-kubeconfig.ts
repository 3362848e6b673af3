import { EMBEDDED_ISSUER } from '../../kubernetes/agreement.js'
import type { ClusterAccess } from '../../kubernetes/client/access.js'
import type { Globals } from '../globals.js'
import { bearerIn } from './choose-access.js'
import { adminBearer } from './lab-access.js'
import type { TargetFlags } from './target-options.js'

/**
 * The cluster of the lab for a kubeconfig, which outlives the command: an embedded lab would be gone before kubectl
 * reads the file. Where none runs, the file is for the lab that `oauth-lab serve` will start.
 * @returns undefined where the options name another cluster
 */
export async function labKubeconfigAccess(
  { kubeconfig, context, cluster, bearerFile }: TargetFlags,
  globals: Globals,
): Promise<{ access: ClusterAccess; note?: string } | undefined> {
  if (kubeconfig ?? context ?? cluster ?? globals.server) return undefined
  if (process.env.KUBERNETES_SERVICE_HOST) return undefined
  const { findRunningLab } = await import('../../lab/running.js')
  const { config } = globals
  const running = await findRunningLab(globals.home, lab => config === undefined || config === lab.config)
  if (running) return undefined
  const { loadLabConfig } = await import('../../lab/config.js')
  const { ensureCertificates } = await import('../../lab/certificates.js')
  const { caPem } = await ensureCertificates(globals.home, ['localhost'], Date.now())
  return {
    access: {
      server: EMBEDDED_ISSUER,
      via: 'the lab that oauth-lab serve starts',
      caPem,
      credential:
        bearerFile === undefined ? adminBearer(await loadLabConfig(config)) : await bearerIn(bearerFile),
      kubectl: [],
    },
    note: 'No lab is running: this file is for the one that   oauth-lab serve   starts.',
  }
}
