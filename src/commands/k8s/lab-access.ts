import { UsageError } from '../../errors.js'
import type { Credential } from '../../kubernetes/client/access.js'
import type { LabConfig } from '../../lab/config.js'
import { type LabTarget, labTarget } from '../../targets/lab-target.js'
import type { Globals } from '../globals.js'
import { narrate, shellWord } from '../output.js'
import type { ChosenAccess } from './chosen-access.js'

/** The group that may do everything. */
const ADMINISTRATORS = 'system:masters'

/** The administrator's bearer of a lab, from its lab file. */
export function adminBearer({ effective }: LabConfig): Credential {
  const tokens = effective.cluster?.tokens ?? []
  const admin = tokens.find(({ groups = [] }) => groups.includes(ADMINISTRATORS)) ?? tokens[0]
  if (admin === undefined) return { kind: 'none' }
  return { kind: 'bearer', token: admin.token, from: `${admin.username} in the lab file` }
}

/** The options that were typed and that name the same lab, and the same person, to another command. */
function sameLab({ server, config }: Globals, bearerFile: string | undefined): string {
  const options = [
    ['--server', server],
    ['--config', config],
    ['--bearer-file', bearerFile === '-' ? undefined : bearerFile],
  ] as const
  return options.map(([name, value]) => (value === undefined ? '' : ` ${name} ${shellWord(value)}`)).join('')
}

/**
 * The cluster of the lab in use, as its administrator or as somebody with a token of his own.
 * @throws UsageError
 */
export async function labAccess(
  globals: Globals,
  own: Credential,
  bearerFile?: string,
): Promise<ChosenAccess> {
  const lab: LabTarget = await labTarget(globals, { narrate, cluster: true })
  const { urls, config, caPem, embedded, now, stop } = lab
  if (urls.cluster === undefined) {
    await stop()
    throw new UsageError(`the lab at ${urls.authorization} does not say where its cluster is`, [
      'Name it:   --cluster https://localhost:8445 --bearer-file FILE',
    ])
  }
  const access = {
    server: urls.cluster,
    via: embedded ? 'the lab of this command' : `the lab at ${urls.authorization}`,
    ...(caPem !== undefined && { caPem }),
    credential: own.kind === 'none' ? adminBearer(config) : own,
    kubectl: ['--kubeconfig', { shell: `<(oauth-lab k8s kubeconfig${sameLab(globals, bearerFile)})` }],
  }
  return { access, now, embedded: embedded !== undefined, stop }
}
