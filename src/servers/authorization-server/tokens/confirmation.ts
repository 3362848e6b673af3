import type { Confirmation } from '../../../protocol/tokens/confirmation.js'
import type { Binding } from '../model.js'

/** Returns `cnf` of a token; undefined for a token that anyone may use (RFC 9449 §6.1, RFC 8705 §3.1). */
export function confirmationOf(binding: Binding): Confirmation | undefined {
  switch (binding.kind) {
    case 'bearer':
      return undefined
    case 'dpop':
      return { jkt: binding.jkt }
    case 'certificate':
      return { 'x5t#S256': binding.thumbprint }
  }
}
