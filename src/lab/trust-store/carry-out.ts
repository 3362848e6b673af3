import { createHash, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { UserError } from '../../protocol/errors.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { ensureCertificates } from '../certificates/certificates.js'
import { readState } from '../state/state-folder.js'
import type { Invocation, TrustAction, TrustChange, TrustedCa, TrustWorld } from './change.js'
import type { TrustPlan } from './plan.js'

/** Undefined where no CA has to be removed. */
export async function caToTrust(action: TrustAction, home: string): Promise<TrustedCa | undefined> {
  const pem = action === 'install' ? (await ensureCertificates(home)).caPem : await readState(home, 'ca.pem')
  if (pem === undefined) return undefined
  const certificate = new X509Certificate(pem)
  const name = /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? ''
  const sha1 = createHash('sha1').update(certificate.raw).digest('hex').toUpperCase()
  return { file: join(home, 'ca.pem'), pem, name, sha1 }
}

/** As a person would type it. */
function written({ program, args, root }: Invocation): string {
  return [...(root ? ['sudo'] : []), program, ...args].map(word => shellWord(word)).join(' ')
}

/** For people. */
export function planLines({ changes, notes }: TrustPlan): string[] {
  return [
    ...changes.flatMap(({ store, readers, commands }) =>
      commands.length === 0
        ? [`${store}: nothing to do`]
        : [`${store}, for ${readers}:`, ...commands.map(each => `  ${written(each)}`)],
    ),
    ...notes.map(note => `note: ${note}`),
  ]
}

/** One command after the other. @throws UserError with the output of a command that failed */
export async function carryOut(changes: readonly TrustChange[], world: TrustWorld): Promise<void> {
  for (const { commands } of changes) {
    for (const each of commands) {
      const { code, output } = await world.run(each.program, each.args)
      if (code === 0) continue
      const said = output.trim().split('\n').slice(-3)
      throw new UserError(
        `${written(each)} ended with ${code}`,
        'refused',
        said.map(line => makeSafe(line)),
      )
    }
  }
}
