import type { TokenResponse } from '../oauth/token.js'
import { obtainByCode } from './code.js'
import type { FlowOptions } from './options.js'
import { obtainByPassword } from './password.js'
import type { AllPorts } from './ports.js'
import type { Steps, Walk } from './walk.js'

/** Gets the tokens that a flow begins with: one that is there already, by password, or by a code. Not verified yet. */
export async function* obtainFirst(walk: Walk, ports: AllPorts, wanted: FlowOptions): Steps<TokenResponse> {
  if (wanted.accessToken !== undefined) return { access_token: wanted.accessToken, token_type: 'Bearer' }
  if (wanted.first === 'password') return yield* obtainByPassword(walk, ports, wanted)
  const { tokens } = yield* obtainByCode(walk, ports, wanted, { verify: false })
  return tokens
}
