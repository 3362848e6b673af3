import { examineToken } from '../../servers/kubernetes/client/doctor.js'
import { gatherFacts } from '../../servers/kubernetes/client/doctor-facts.js'
import type { Verifier } from '../../servers/kubernetes/shapes.js'
import { publishedAt } from '../../session/targets/cluster.js'
import { findingLines, verdictLine } from '../../show/render/kubernetes/doctor-lines.js'
import { decodeGiven } from '../jose/jwt-input.js'
import { terminalColumns } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { withCluster } from './cluster.js'
import { type ClusterFlags, printResult, readRun } from './options.js'
import { readToken } from './token-input.js'

/** Flags of `k8s doctor`. */
export interface DoctorFlags extends ClusterFlags {
  readonly for: Verifier
  readonly audience?: readonly string[]
}

/** `oauth-lab k8s doctor`: checks a token as a verifier does. */
export async function examine(
  argument: string | undefined,
  flags: DoctorFlags,
  globals: Globals,
): Promise<void> {
  const run = readRun(flags, globals)
  const { signs } = run
  const { for: verifier, audience: [audience] = [] } = flags
  const text = await readToken(argument)
  decodeGiven(text)
  await withCluster(flags, globals, {}, async cluster => {
    const ports = { ...cluster, publishedAt: (issuer: string) => publishedAt(issuer, globals) }
    const findings = examineToken(await gatherFacts({ text, verifier, audience }, ports))
    const faults = findings.filter(({ result }) => result === 'fault').length
    await printResult(run, { for: verifier, faults, findings }, () => [
      ...findings.flatMap(each => findingLines(each, signs, terminalColumns())),
      '',
      verdictLine(faults, verifier, signs),
    ])
    process.exitCode = faults === 0 ? EXIT.done : EXIT.refused
  })
}
