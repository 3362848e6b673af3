import type { LabFileProblem } from './lab-file-problems.js'
import type { LabFile } from './lab-file-schema.js'
import { likelyEntropy } from './secret-strength.js'

/** Entropy that a secret should have, in bits (RFC 6749 §10.10, RFC 6819 §5.1.4.2.2). */
const ENTROPY = 128

/** Bits that the estimate of a random secret may fall short. */
const TOLERANCE = 8

/** Returns remarks on a lab file that is valid: settings that work, but not as people expect or wish. */
export function remarksOn({ clients = [] }: LabFile): LabFileProblem[] {
  return clients.flatMap(({ client_secret: secret }, i): LabFileProblem[] => {
    const bits = secret === undefined ? ENTROPY : likelyEntropy(secret)
    if (bits >= ENTROPY - TOLERANCE) return []
    const problem = `this secret has about ${Math.round(bits)} bits of entropy; use ${ENTROPY} (RFC 6749 §10.10), such as: openssl rand -hex 32`
    return [{ path: ['clients', i, 'client_secret'], problem }]
  })
}
